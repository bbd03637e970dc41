import type { Message } from '../turn/message/message.ts'
import { callsOf } from '../turn/message/message.ts'

/**
 * Finds what a provider would reject: calls without exactly one result directly after them, and results without a call.
 * Empty for a valid history.
 */
export function findUnpairedCalls(messages: readonly Message[]): readonly string[] {
  const problems: string[] = []
  const seen = new Set<string>()
  let open: string[] = []
  const close = () => {
    for (const id of open) problems.push(`${id} has no result`)
    open = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open[0] === message.callId) open.shift()
      else problems.push(`the result of ${message.callId} is where it was not requested`)
      continue
    }
    close()
    if (message.role !== 'assistant') continue
    for (const { id } of callsOf(message)) {
      if (seen.has(id)) problems.push(`${id} was used twice`)
      seen.add(id)
      open.push(id)
    }
  }
  close()
  return problems
}
