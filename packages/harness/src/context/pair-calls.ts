import type { AssistantMessage, Message, ToolMessage } from '../turn/message/message.ts'
import { callsOf, textOf } from '../turn/message/message.ts'

/**
 * The messages without calls that have no result, results that belong to no call, and replies that are empty: providers
 * refuse them. A caller that keeps its own history, such as a channel that cuts it, may leave some. The same list when
 * there are none.
 */
export function pairCalls(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = []
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!
    if (message.role === 'tool') continue
    if (message.role !== 'assistant') {
      paired.push(message)
      continue
    }
    const results = resultsAfter(messages, at, message)
    const reply = withCalls(message, new Set(results.map(({ callId }) => callId)))
    if (reply) paired.push(reply, ...results)
  }
  const isSame = paired.length === messages.length && paired.every((one, index) => one === messages[index])
  return isSame ? messages : paired
}

/** The results directly after a reply, one for each of its calls that has any. */
function resultsAfter(messages: readonly Message[], at: number, reply: AssistantMessage): ToolMessage[] {
  const open = new Set(callsOf(reply).map(({ id }) => id))
  const results: ToolMessage[] = []
  for (let next = at + 1; next < messages.length; next++) {
    const message = messages[next]!
    if (message.role !== 'tool') break
    if (open.delete(message.callId)) results.push(message)
  }
  return results
}

/** The reply with these calls only. Undefined when nothing is left of it. */
function withCalls(reply: AssistantMessage, answered: ReadonlySet<string>): AssistantMessage | undefined {
  const parts = reply.parts.filter((part) => part.type !== 'call' || answered.has(part.call.id))
  const isEmpty = answered.size === 0 && textOf(reply).trim() === '' && reply.raw === undefined
  if (isEmpty) return undefined
  return parts.length === reply.parts.length ? reply : { ...reply, parts }
}
