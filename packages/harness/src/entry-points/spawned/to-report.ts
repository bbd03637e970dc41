import { listCalls } from '../../engine/turn.ts'
import { frameUntrusted } from '../../text/untrusted-frame.ts'
import { cutWithSize } from '../../text/cut-text.ts'
import { hideKnown } from '../../tool-path/scrub/known-secrets.ts'
import type { NoticeMessage } from '../../turn/message/message.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { SubAgentResult } from '../child-run.ts'
import type { WaitingChildren } from '../waiting-children.ts'
import type { SpawnedAgent } from './spawned-agent.ts'

const MAX_REPORT_CHARS = 16_000

/** The data-flow rule treats a report like the result of a delegation: it carries what the thread has read. */
const REPORTING: Tool = {
  name: 'spawn_agent',
  description: '',
  input: {},
  effect: 'read',
  returns: 'inherited',
  destinations: [],
  run: () => undefined,
}

/** The report of a sub-agent that has ended, as its parent reads it: what the sub-agent wrote is framed as material. */
export function toReport(
  agent: SpawnedAgent,
  result: SubAgentResult<unknown>,
  run: RunContext,
  waiting: WaitingChildren,
): NoticeMessage {
  const { name, turn, unread } = agent
  const { lead, body } = toWords(agent, result, waiting)
  const notRead = unread > 0 ? 'It ended before it read your last message. ' : ''
  const shown = hideKnown(
    cutWithSize(body.trim() === '' ? '(nothing)' : body, MAX_REPORT_CHARS),
    turn?.services.secrets,
  )
  const read = run.flow.returned({ tool: REPORTING, effect: 'read', args: {} }, shown)
  return {
    role: 'notice',
    text: `${notRead}${lead}\n${frameUntrusted(shown, 'agent')}`,
    fact: { kind: 'agent-ended', name },
    ...(turn && { report: { runId: turn.run.runId, ...(read && { read }) } }),
  }
}

function toWords(
  { name, signal, turn, problem }: SpawnedAgent,
  result: SubAgentResult<unknown>,
  waiting: WaitingChildren,
): { readonly lead: string; readonly body: string } {
  if (signal.aborted && result.failure?.class === 'cancelled') {
    const why = problem === undefined ? 'was closed before it had finished' : `could not go on: ${problem}`
    const did = turn ? listCalls(turn.state).join('\n') : ''
    return { lead: `The agent "${name}" ${why}. What it had done:`, body: did }
  }
  const { lead, text } = waiting.toOutcome(name, result)
  const isDone = result.status === 'completed'
  return {
    lead: isDone ? `${lead ?? ''}The agent "${name}" has finished. Its report:` : lead!.trimEnd(),
    body: text,
  }
}
