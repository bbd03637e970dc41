import '../../runs/runs.css'
import type { JobStatus, JobSummary } from '@capstan/protocol'
import { CircleStop, Pause, Play, Zap } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { WhyAndNext } from '../../runs/why-and-next.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import type { Tone } from '../../ui/feedback/badge.tsx'
import { Time } from '../../ui/text/time.tsx'
import type { JobAction } from './use-jobs.ts'
import type { JobProgress } from './use-progress.ts'

export interface JobCardProps {
  readonly job: JobSummary
  readonly progress: JobProgress | undefined
  readonly onAct: (action: JobAction) => Promise<void> | void
}

const TONES: Readonly<Record<JobStatus, Tone>> = {
  waiting: 'info',
  running: 'accent',
  paused: 'warn',
  done: 'ok',
  failed: 'fail',
  cancelled: 'neutral',
}

/** One job: what it is, how it stands, and what can be done. */
export function JobCard({ job, progress, onAct }: JobCardProps): ReactElement {
  const t = useT()
  const titleId = useId()
  const { title, status, nextAt, lastEndedAt, attempts, lastFailure } = job
  const isDue = status === 'waiting' || status === 'paused'
  return (
    <article className="jobs-card" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId} dir="auto">
          {title}
        </h2>
        <KindLink kind={job.kind} />
        <Badge tone={TONES[status]}>{t(`jobs.states.${status}`)}</Badge>
      </header>
      <dl className="jobs-facts">
        {isDue && nextAt !== undefined && (
          <div>
            <dt>{t('jobs.next')}</dt>
            <dd>
              <Time at={nextAt} />
            </dd>
          </div>
        )}
        {lastEndedAt !== undefined && (
          <div>
            <dt>{t('jobs.last')}</dt>
            <dd>
              <Time at={lastEndedAt} />
            </dd>
          </div>
        )}
      </dl>
      {progress && status !== 'done' && status !== 'cancelled' && <Progress progress={progress} />}
      {lastFailure && (
        <>
          {attempts > 0 && <p className="jobs-soft">{t('jobs.attempts', { number: attempts })}</p>}
          <WhyAndNext failure={lastFailure} of="call" stage="over" />
        </>
      )}
      <Actions job={job} onAct={onAct} />
    </article>
  )
}

/** The kind in words, and where more of it stands. A newer server may know more kinds. */
function KindLink({ kind }: { readonly kind: string }): ReactElement {
  const t = useT()
  if (kind === 'schedule')
    return <Link to={toPath({ page: 'automations', tab: 'schedules' })}>{t('jobs.kinds.schedule')}</Link>
  if (kind === 'trigger')
    return <Link to={toPath({ page: 'automations', tab: 'activity' })}>{t('jobs.kinds.trigger')}</Link>
  if (kind === 'watch')
    return <Link to={toPath({ page: 'automations', tab: 'triggers' })}>{t('jobs.kinds.watch')}</Link>
  if (kind === 'sync') return <Link to={toPath({ page: 'connections' })}>{t('jobs.kinds.sync')}</Link>
  return <bdi>{kind}</bdi>
}

function Progress({ progress: { seen, expected } }: { readonly progress: JobProgress }): ReactElement {
  const t = useT()
  const text =
    expected === undefined ? t('jobs.progressOpen', { seen }) : t('jobs.progress', { seen, expected })
  return (
    <div className="jobs-progress">
      {expected !== undefined && expected > 0 && <progress value={seen} max={expected} aria-label={text} />}
      <p className="jobs-soft ui-figures">{text}</p>
    </div>
  )
}

const ICONS = { run: Zap, pause: Pause, resume: Play, cancel: CircleStop } as const

/** What the server allows in a state. */
const ALLOWED: Readonly<Record<JobStatus, readonly JobAction[]>> = {
  waiting: ['run', 'pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['run', 'resume', 'cancel'],
  failed: ['run', 'cancel'],
  done: [],
  cancelled: [],
}

function Actions({ job: { status }, onAct }: Pick<JobCardProps, 'job' | 'onAct'>): ReactElement | null {
  const t = useT()
  const [busy, setBusy] = useState<JobAction>()
  if (ALLOWED[status].length === 0) return null
  return (
    <div className="jobs-actions">
      {ALLOWED[status].map((action) => {
        const Icon = ICONS[action]
        return (
          <Button
            // "Pause" becomes "Resume" and keeps the focus.
            key={action === 'resume' ? 'pause' : action}
            size="sm"
            variant={action === 'cancel' ? 'quiet' : 'plain'}
            icon={<Icon aria-hidden="true" />}
            busy={busy === action}
            onClick={() => {
              setBusy(action)
              void Promise.resolve(onAct(action)).finally(() => setBusy(undefined))
            }}
          >
            {t(`jobs.actions.${action}`)}
          </Button>
        )
      })}
    </div>
  )
}
