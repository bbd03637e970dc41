import type { CallId } from '@capstan/protocol'
import type { ParsedCall } from '../seams/seams.ts'
import type { AssistantMessage, AssistantPart } from '../turn/message/message.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import type { Surface } from '../turn/tool/surface.ts'
import { cutText } from '../text/cut-text.ts'
import { isBlank } from '../text/is-blank.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Turn } from './turn.ts'

/** A parsed reply. */
export interface ReadReply {
  /** The text a person reads, including the part before a break. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** Absent for an empty reply, which must not enter the history: providers refuse blank messages. */
  readonly message: AssistantMessage | undefined
}

/** Parses a reply into text, calls and the message that holds both. Every call gets a unique id. */
export function readReply(turn: Turn, reply: ModelReply, surface: Surface, iteration: number): ReadReply {
  const parsed = reply.cut ? { text: reply.text, calls: [] } : turn.parser.parse(reply, surface)
  const calls = nameCalls(turn, parsed.calls, iteration)
  const text = isBlank(parsed.text) && calls.length === 0 ? reply.text.trim() : parsed.text
  if (isBlank(text) && calls.length === 0) return { text: turn.state.unfinished, calls, message: undefined }
  const whole = turn.state.unfinished + text
  turn.state.unfinished = reply.cut ? whole : ''
  return { text: whole, calls, message: toMessage(turn, reply, calls) }
}

function toMessage(turn: Turn, reply: ModelReply, calls: readonly ToolCall[]): AssistantMessage {
  const inText = calls.length > 0 && !reply.parts.some((part) => part.type === 'raw-call')
  const parts: AssistantPart[] = []
  for (const part of reply.parts) if (part.type !== 'raw-call') parts.push(part)
  for (const call of calls) parts.push({ type: 'call', call })
  const raw = inText || turn.parser.dialect !== 'native' ? reply.text : undefined
  return { role: 'assistant', parts, raw, cut: reply.cut }
}

function nameCalls(turn: Turn, parsed: readonly ParsedCall[], iteration: number): readonly ToolCall[] {
  if (parsed.length === 0) return NO_CALLS
  const { history } = turn.conversation
  const calls: ToolCall[] = []
  const byId = new Map<string, ParsedCall>()
  for (const call of parsed) {
    const wanted = call.id || `loop-${iteration}-${calls.length}-${call.tool}`
    let id = wanted
    let duplicate = byId.get(id)
    for (let n = 2; (duplicate || history.hasCall(id)) && !(duplicate && isSameCall(duplicate, call)); n++) {
      id = `${wanted}-${n}`
      duplicate = byId.get(id)
    }
    if (duplicate) continue // the same call under the same id is one call
    byId.set(id, call)
    const { tool, arguments: args, malformed, extras } = call
    calls.push({ id: id as CallId, tool: cutText(tool, MAX_NAME), arguments: args, malformed, extras })
  }
  return calls
}

/** Longer than any tool name, and short enough for an event and an audit row. */
const MAX_NAME = 256

const NO_CALLS: readonly ToolCall[] = []

function isSameCall(a: ParsedCall, b: ParsedCall): boolean {
  const details = (call: ParsedCall) => JSON.stringify([call.tool, call.malformed?.raw, call.arguments])
  return details(a) === details(b)
}
