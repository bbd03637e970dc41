import { Check, CircleStop, Hand, Hourglass, Link2, X } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import type { ReactElement } from 'react'
import { sumUsage } from '@capstan/protocol'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import type { Call, CallStatus, Turn } from '@capstan/client'
import { isOpen, toName } from '@capstan/client'
import { isTarget, toCallParam, useOpened, useThreadScope } from '../state/thread-scope.ts'
import { Button } from '../ui/controls/button.tsx'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { toPath } from '../routing/route.ts'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { ArgumentsView } from './arguments-view.tsx'
import { CallFailure } from './call-failure.tsx'
import { Cost } from './cost.tsx'
import { OutputView } from './output-view.tsx'
import { SubAgent } from './sub-agent.tsx'
import { ToolIcon } from './tool-icon.tsx'
import { useNow } from './use-now.ts'

export interface CallRowProps {
  readonly call: Call
  readonly turn: Turn
}

/** One call: its label and duration; when opened, its arguments and its output. */
export const CallRow = memo(function CallRow({ call, turn }: CallRowProps): ReactElement {
  const t = useT()
  const scope = useThreadScope()
  const row = useRef<HTMLLIElement>(null)
  const isLinked = isTarget(scope.target, call)
  const [isShown, setShown] = useOpened(`call:${call.runId}:${call.callId}`, isLinked)

  useEffect(() => {
    if (isLinked) row.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])

  return (
    <li ref={row} className="timeline-call" data-status={call.status} data-linked={isLinked || undefined}>
      <Disclosure
        open={isShown}
        onOpenChange={setShown}
        summary={
          <span className="timeline-call-line">
            <ToolIcon tool={call.tool} />
            <span className="timeline-label" dir="auto">
              {call.label === '' ? t('timeline.preparing', { tool: toName(call.tool) }) : call.label}
            </span>
            {call.detail !== undefined && (
              <span className="timeline-detail" dir="auto">
                {call.detail}
              </span>
            )}
            <StatusMark status={call.status} />
          </span>
        }
        aside={
          <span className="timeline-aside">
            <CallCost call={call} turn={turn} />
            <CallTime call={call} />
          </span>
        }
      >
        <ArgumentsView value={call.status === 'writing' ? call.argumentsText : call.arguments} />
        {call.output !== undefined && (
          <OutputView output={call.output} bytes={call.outputBytes ?? call.output.length} />
        )}
        <CopyLink call={call} />
      </Disclosure>
      {call.approval?.decision && (
        <p className="timeline-note">
          {t(
            `approvals.answered.${call.approval.decision === 'withdrawn' ? 'gone' : call.approval.decision}`,
          )}
        </p>
      )}
      {call.status === 'failed' && call.failure && (
        <CallFailure call={call} failure={call.failure} turn={turn} />
      )}
      {call.children.map((id) => {
        const run = turn.runs.get(id)
        return run && <SubAgent key={id} run={run} call={call} turn={turn} />
      })}
    </li>
  )
})

function StatusMark({ status }: { readonly status: CallStatus }): ReactElement {
  const t = useT()
  return (
    <span className="timeline-status">
      {MARKS[status]}
      <span className="ui-visually-hidden">
        {t(status === 'held' ? 'timeline.held' : `timeline.status.${status}`)}
      </span>
    </span>
  )
}

const MARKS: Readonly<Record<CallStatus, ReactElement>> = {
  writing: <Spinner />,
  running: <Spinner />,
  asking: <Hourglass aria-hidden="true" />,
  connecting: <Hourglass aria-hidden="true" />,
  held: <Hand aria-hidden="true" />,
  ok: <Check aria-hidden="true" />,
  failed: <X aria-hidden="true" />,
  stopped: <CircleStop aria-hidden="true" />,
}

/** The duration of a call. Hidden in the first second of a running call, so that it does not flicker. */
function CallTime({ call }: { readonly call: Call }): ReactElement | null {
  const format = useFormatters()
  const isRunning = call.durationMs === undefined && isOpen(call)
  const now = useNow(isRunning)
  if (call.durationMs !== undefined)
    return <span className="ui-figures">{format.duration(call.durationMs)}</span>
  const seconds = Math.floor((now - call.startedAt) / 1000)
  return isRunning && seconds >= 1 ? (
    <span className="ui-figures">{format.duration(seconds * 1000)}</span>
  ) : null
}

/** The cost of the call's sub-agents. A call itself has no known cost. */
function CallCost({ call, turn }: { readonly call: Call; readonly turn: Turn }): ReactElement | null {
  const usages = call.children.flatMap((id) => turn.runs.get(id)?.usage ?? [])
  if (usages.length === 0) return null
  return <Cost usage={usages.reduce((sum, usage) => sumUsage(sum, usage))} />
}

function CopyLink({ call }: { readonly call: Call }): ReactElement {
  const t = useT()
  const toast = useToast()
  const { threadId } = useThreadScope()
  async function copy(): Promise<void> {
    const path = toPath({ page: 'chat', threadId, callId: toCallParam(call) })
    try {
      await navigator.clipboard.writeText(new URL(path, window.location.href).href)
      toast({ text: t('timeline.link-copied') })
    } catch {
      toast({ text: t('ui.copyFailed'), tone: 'fail' })
    }
  }
  return (
    <Button size="sm" variant="quiet" icon={<Link2 aria-hidden="true" />} onClick={() => void copy()}>
      {t('timeline.copy-link')}
    </Button>
  )
}
