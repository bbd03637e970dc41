import { Bot } from 'lucide-react'
import { memo } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useOpened } from '../state/thread-scope.ts'
import { agentName } from '@capstan/client'
import type { Call, Run, Turn } from '@capstan/client'
import { Badge } from '../ui/feedback/badge.tsx'
import type { Tone } from '../ui/feedback/badge.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { Cost } from './cost.tsx'
import { RunRows } from './run-rows.tsx'
import { Transcript } from './transcript.tsx'

/** A sub-agent below the call that started it, with its own status. */
export const SubAgent = memo(function SubAgent({
  run,
  call,
  turn,
}: {
  readonly run: Run
  /** The call that started it. */
  readonly call: Call
  readonly turn: Turn
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const [isShown, setShown] = useOpened(`run:${run.id}`, true)
  const { name, tone } = statusOf(run, call)
  const task = run.text.trim()
  return (
    <div className="timeline-agent">
      <Disclosure
        open={isShown}
        onOpenChange={setShown}
        summary={
          <span className="timeline-call-line">
            <Bot className="timeline-icon" aria-hidden="true" />
            <span className="timeline-label">{t('timeline.sub-agent', { name: agentName(run) })}</span>
            <Badge tone={tone}>{t(`timeline.agent.${name}`)}</Badge>
          </span>
        }
        aside={
          <span className="timeline-aside">
            <Cost usage={run.usage} />
            {run.endedAt !== undefined && (
              <span className="ui-figures">{format.duration(run.endedAt - run.startedAt)}</span>
            )}
          </span>
        }
      >
        {task !== '' && (
          <p className="timeline-asked" title={task}>
            <b>{t('timeline.asked-to')}</b> <bdi>{task}</bdi>
          </p>
        )}
        <RunRows run={run} turn={turn} />
        <Transcript runId={run.id} />
      </Disclosure>
    </div>
  )
})

type AgentStatus = 'running' | 'done' | 'needs-input' | 'incomplete' | 'failed' | 'stopped'

/** The status of a sub-agent. Unfinished work is never shown as done, also where it ended with an answer that says so. */
function statusOf({ outcome }: Run, call: Call): { readonly name: AgentStatus; readonly tone: Tone } {
  switch (outcome?.type) {
    case undefined:
      return { name: 'running', tone: 'info' }
    case 'done':
      return call.status === 'failed' ? { name: 'incomplete', tone: 'warn' } : { name: 'done', tone: 'ok' }
    case 'needs-input':
      return { name: 'needs-input', tone: 'warn' }
    case 'halted':
    case 'capped':
      return { name: 'incomplete', tone: 'warn' }
    case 'failed':
      return { name: 'failed', tone: 'fail' }
    case 'aborted':
      return { name: 'stopped', tone: 'neutral' }
  }
}
