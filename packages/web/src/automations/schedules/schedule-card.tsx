import type { ScheduleRow } from '@capstan/protocol'
import { CalendarClock, Pause, Pencil, Play, Trash2, Zap } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import { Time } from '../../ui/text/time.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { RunHistory, RunLinks } from './run-history.tsx'
import { useWhenWords } from './timing/use-when-words.ts'
import type { ScheduleAction } from './use-schedules.ts'
import { ZoneTime } from './zone-time.tsx'

export interface ScheduleCardProps {
  readonly schedule: ScheduleRow
  readonly onSteer: (action: ScheduleAction) => Promise<void>
  readonly onEdit: () => void
  readonly onDelete: () => void
}

/** One schedule: when it runs in words, what comes next, what came last, and what can be done. */
export function ScheduleCard({ schedule, onSteer, onEdit, onDelete }: ScheduleCardProps): ReactElement {
  const t = useT()
  const titleId = useId()
  const { title, prompt, isUntrusted } = schedule
  return (
    <article className="schedules-card" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId} dir="auto">
          {title}
        </h2>
        <StateBadge schedule={schedule} />
      </header>
      <When schedule={schedule} />
      {prompt !== title && (
        <p className="schedules-prompt" dir="auto">
          {prompt}
        </p>
      )}
      {isUntrusted && <p className="schedules-warning">{t('schedules.untrusted')}</p>}
      <Facts schedule={schedule} />
      <Actions schedule={schedule} onSteer={onSteer} onEdit={onEdit} onDelete={onDelete} />
      <Disclosure summary={t('schedules.history.title')}>
        <RunHistory schedule={schedule} />
      </Disclosure>
    </article>
  )
}

const isOn = ({ status }: ScheduleRow): boolean => status === 'waiting' || status === 'running'

function StateBadge({ schedule }: { readonly schedule: ScheduleRow }): ReactElement {
  const t = useT()
  if (isOn(schedule)) return <Badge tone="ok">{t('schedules.states.on')}</Badge>
  const isPaused = schedule.status === 'paused'
  return (
    <Badge tone={isPaused ? 'warn' : 'neutral'}>
      {t(isPaused ? 'schedules.states.paused' : 'schedules.states.over')}
    </Badge>
  )
}

/** In the language of the reader, and as the person said it. */
function When({ schedule: { cron, when } }: { readonly schedule: ScheduleRow }): ReactElement {
  const t = useT()
  const toWords = useWhenWords()
  return (
    <p className="schedules-when">
      <CalendarClock size={18} aria-hidden="true" />
      <span>
        <strong>{toWords(cron)}</strong>
        {when !== cron && (
          <span className="schedules-soft">
            {' '}
            <bdi>{t('schedules.ownWords', { words: when })}</bdi>
          </span>
        )}
      </span>
    </p>
  )
}

function Facts({ schedule }: { readonly schedule: ScheduleRow }): ReactElement {
  const t = useT()
  const {
    zone,
    nextRuns: [next],
    runs: [last],
  } = schedule
  return (
    <dl className="schedules-facts">
      {next !== undefined && (
        <div>
          <dt>{t('schedules.next')}</dt>
          <dd className="schedules-line">
            <ZoneTime at={next} zone={zone} />
            <span className="schedules-soft">
              {next > Date.now() ? <Time at={next} /> : t('schedules.due')}
            </span>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('schedules.last')}</dt>
        <dd className="schedules-line">
          {last ? (
            <>
              <OutcomeBadge outcome={last.outcome} />
              <Time at={last.dueAt} />
              <RunLinks run={last} />
            </>
          ) : (
            t('schedules.never')
          )}
        </dd>
      </div>
    </dl>
  )
}

function Actions({ schedule, onSteer, onEdit, onDelete }: ScheduleCardProps): ReactElement {
  const t = useT()
  const [busy, setBusy] = useState<ScheduleAction>()
  const steer = (action: ScheduleAction): void => {
    setBusy(action)
    void onSteer(action).finally(() => setBusy(undefined))
  }
  const toggle = isOn(schedule) ? 'pause' : 'resume'
  return (
    <div className="schedules-actions">
      <Button
        size="sm"
        icon={<Zap aria-hidden="true" />}
        disabled={!isOn(schedule)}
        busy={busy === 'run'}
        onClick={() => steer('run')}
      >
        {t('schedules.actions.run')}
      </Button>
      <Button
        size="sm"
        icon={toggle === 'pause' ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        busy={busy === 'pause' || busy === 'resume'}
        onClick={() => steer(toggle)}
      >
        {t(`schedules.actions.${toggle}`)}
      </Button>
      <Button size="sm" icon={<Pencil aria-hidden="true" />} onClick={onEdit}>
        {t('schedules.actions.edit')}
      </Button>
      <Button size="sm" variant="quiet" icon={<Trash2 aria-hidden="true" />} onClick={onDelete}>
        {t('schedules.actions.delete')}
      </Button>
    </div>
  )
}
