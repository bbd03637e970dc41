import './timeline.css'
import { memo } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { isTarget, useOpened, useThreadScope } from '../state/thread-scope.ts'
import type { CallTarget } from '../state/thread-scope.ts'
import type { CurrentStep, Turn } from '@capstan/client'
import { currentStepOf, openFailuresOf, rootOf, toName, workedMs } from '@capstan/client'
import { Badge } from '../ui/feedback/badge.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { Cost } from './cost.tsx'
import { RunRows } from './run-rows.tsx'
import { useNow } from './use-now.ts'

/** "View processing": everything that was done for an answer. Closed at first. */
export const Timeline = memo(function Timeline({ turn }: { readonly turn: Turn }): ReactElement {
  const { target } = useThreadScope()
  const root = rootOf(turn)
  const [isShown, setShown] = useOpened(`turn:${turn.runId}`, containsCall(turn, target))
  return (
    <Disclosure
      className="timeline"
      open={isShown}
      onOpenChange={setShown}
      summary={root.endedAt === undefined ? <LiveSummary turn={turn} /> : <Summary turn={turn} />}
    >
      <RunRows run={root} turn={turn} />
    </Disclosure>
  )
})

/** Whether a link points into this turn. */
export function containsCall(turn: Turn, target: CallTarget | undefined): boolean {
  if (!target) return false
  for (const run of turn.runs.values())
    for (const { items } of run.iterations)
      if (items.some((item) => item.type === 'call' && isTarget(target, item))) return true
  return false
}

function Summary({ turn }: { readonly turn: Turn }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const root = rootOf(turn)
  const failed = openFailuresOf(turn).length
  return (
    <span className="timeline-summary">
      <span>{t('timeline.view')}</span>
      <span className="timeline-facts">
        <span>{t('timeline.steps', { count: root.iterations.length })}</span>
        {root.endedAt !== undefined && (
          <span className="ui-figures">{format.duration(workedMs(turn, root.endedAt))}</span>
        )}
        <Cost usage={root.usage} />
      </span>
      {failed > 0 && <Badge tone="warn">{t('timeline.failed', { count: failed })}</Badge>}
    </span>
  )
}

/** The current step and how long the turn has worked. */
function LiveSummary({ turn }: { readonly turn: Turn }): ReactElement {
  const format = useFormatters()
  const isWaiting = turn.openAsks > 0 || turn.isHeld === true
  const now = useNow(!isWaiting)
  const seconds = Math.floor(workedMs(turn, now) / 1000)
  const step = currentStepOf(turn)
  const words = useStepWords()(step)
  return (
    <span className="timeline-summary" data-live>
      {!isWaiting && <Spinner />}
      <span className="timeline-step" dir="auto">
        {words}
        {step.type === 'call' && step.detail !== undefined && (
          <span className="timeline-detail"> {step.detail}</span>
        )}
      </span>
      {!isWaiting && seconds >= 1 && (
        <span className="ui-figures timeline-facts" aria-hidden="true">
          {format.duration(seconds * 1000)}
        </span>
      )}
    </span>
  )
}

function useStepWords(): (step: CurrentStep) => string {
  const t = useT()
  return (step) => {
    if (step.type === 'call') return step.label
    if (step.type === 'preparing') return t('timeline.preparing', { tool: toName(step.tool) })
    return t(`timeline.${step.type}`)
  }
}
