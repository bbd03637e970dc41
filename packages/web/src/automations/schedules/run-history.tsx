import '../../runs/runs.css'
import type { ScheduleRow, ScheduleRun } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { WhyAndNext } from '../../runs/why-and-next.tsx'
import { Time } from '../../ui/text/time.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { ZoneTime } from './zone-time.tsx'

/** What became of the last due times, newest first. */
export function RunHistory({ schedule: { runs, zone } }: { readonly schedule: ScheduleRow }): ReactElement {
  const t = useT()
  if (runs.length === 0) return <p className="schedules-soft">{t('schedules.history.empty')}</p>
  return (
    <ul role="list" className="schedules-history">
      {runs.map((run) => (
        <li key={`${run.dueAt} ${run.outcome === 'missed'}`}>
          <Run run={run} zone={zone} />
        </li>
      ))}
    </ul>
  )
}

function Run({ run, zone }: { readonly run: ScheduleRun; readonly zone: string }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { dueAt, missedUntil, outcome, isManual, text, failure } = run
  return (
    <>
      <p className="schedules-line">
        <OutcomeBadge outcome={outcome} />
        {missedUntil === undefined ? (
          <ZoneTime at={dueAt} zone={zone} />
        ) : (
          <span className="ui-figures">
            {t('schedules.history.until', {
              from: format.inZone(dueAt, zone),
              to: format.inZone(missedUntil, zone),
            })}
          </span>
        )}
        <span className="schedules-soft">
          <Time at={dueAt} />
        </span>
        {isManual && <span className="schedules-soft">{t('schedules.history.byHand')}</span>}
        <RunLinks run={run} />
      </p>
      {text !== undefined && text !== '' && !failure && (
        <p className="schedules-answer" dir="auto">
          {text}
        </p>
      )}
      {failure && <WhyAndNext failure={failure} of="model" stage="given-up" />}
    </>
  )
}

/** To the conversation of a run, and to its details. A conversation that was deleted has neither. */
export function RunLinks({ run }: { readonly run: ScheduleRun }): ReactElement | null {
  const t = useT()
  const { threadId, runId, outcome } = run
  if (threadId === undefined || outcome === 'gone') return null
  return (
    <>
      <Link to={toPath({ page: 'chat', threadId })}>{t('schedules.history.thread')}</Link>
      {runId !== undefined && <Link to={toPath({ page: 'runs', runId })}>{t('schedules.history.run')}</Link>}
    </>
  )
}
