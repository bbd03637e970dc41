import type { ThreadFlow } from '../data-flow/thread-flow.ts'
import type { LedgerRecord, RecordOf } from '../ports/ledger.ts'
import { noteUserMessage } from '../turn/flow-tracker.ts'
import type { JsonObject } from '../turn/json.ts'
import type { UserMessage } from '../turn/message/message.ts'
import { callsOf } from '../turn/message/message.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'

/**
 * Brings the data flow of a thread to where its records end: the user's words, every result of every run with its
 * labels, and the approvals that the rule asked for. Compactions do not matter, because records are never removed. A
 * result from before there were labels counts as private and untrusted.
 */
export function restoreFlow(records: readonly LedgerRecord[], flow: ThreadFlow): void {
  const turns = new Map<string, RecordOf<'run-start'>['run']>()
  const calls = new Map<string, ToolCall>()
  for (const record of records) {
    if (record.type === 'run-start') {
      if (record.run.depth === 0) turns.set(record.run.runId, record.run)
    } else if (record.type === 'message') {
      const { runId, message } = record
      if (message.role === 'assistant')
        for (const call of callsOf(message)) calls.set(`${runId}/${call.id}`, call)
      if (message.role === 'notice' && message.report) {
        const { read } = message.report
        flow.restoreResult({ ...REPORT, text: message.text, ...(read && { read }) })
      }
      const turn = turns.get(runId)
      if (message.role === 'user' && turn) restoreWords(message, turn, flow)
    } else if (record.type === 'call-result') {
      restoreResult(record, calls.get(`${record.runId}/${record.result.callId}`), flow)
    } else if (record.type === 'approval-open') {
      const { runId, callId, reason } = record.request
      if (reason?.kind === 'data-flow') flow.restoreAsked(`${runId}/${callId}`, reason)
    }
  }
}

const REPORT = { tool: 'spawn_agent', effect: 'read', args: {}, callId: '' } as const

/** A steering message is its own text. The first message of a turn may hold more than what was asked. */
function restoreWords(
  message: UserMessage,
  { text: asked, origin }: RecordOf<'run-start'>['run'],
  flow: ThreadFlow,
): void {
  const [first] = message.parts
  const text = message.delivery === 'steer' && first?.type === 'text' ? first.text : asked
  noteUserMessage(flow, { text, origin, message })
}

function restoreResult(
  { result, message, effect, audit }: RecordOf<'call-result'>,
  call: ToolCall | undefined,
  flow: ThreadFlow,
): void {
  const { tool, callId, read } = result
  // A call that was never run has read nothing.
  if (!read && (audit?.decision === 'refused' || audit?.decision === 'invalid')) return
  flow.restoreResult({ tool, effect, args: argumentsOf(call, tool), text: message.text, callId, read })
}

/** Tools that call another one with `arguments`. */
const CALLERS: ReadonlySet<string> = new Set(['call_tool', 'call_action'])

/** The arguments of the tool that ran, also when it was called through another tool by name. */
function argumentsOf(call: ToolCall | undefined, tool: string): JsonObject {
  if (!call) return {}
  const { arguments: inner } = call.arguments
  const isNamed = call.tool !== tool && CALLERS.has(call.tool) && typeof inner === 'object' && inner !== null
  return isNamed && !Array.isArray(inner) ? (inner as JsonObject) : call.arguments
}
