import type { PastRun } from '../turn/archive.ts'
import type { Message } from '../turn/message/message.ts'
import { callsOf, textOf } from '../turn/message/message.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import { RESULT_TOOL } from './structured-output.ts'
import type { TurnState } from './turn.ts'

/** The state of a run when it was interrupted. The calls of an open reply are counted when they end. */
export function restoreTurnState({ replies, cuts, conversation, iteration }: PastRun): TurnState {
  const results: ToolResult[] = []
  for (const { message, finished } of replies) {
    for (const call of callsOf(message)) {
      const past = finished.get(call.id)
      if (past) results.push(past.result)
    }
  }
  const unfinished = unfinishedWords(conversation.messages)
  const misfits = results.filter(({ tool, ok }) => tool === RESULT_TOOL && !ok).length
  return { iterations: iteration, calls: results.length, cuts, misfits, unfinished, results }
}

/** The text of replies that broke off at the end of a conversation, without the answer that completed them. */
function unfinishedWords(messages: readonly Message[]): string {
  let words = ''
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    if (message.role === 'notice') continue
    if (message.role !== 'assistant') break
    if (message.cut) words = textOf(message) + words
    else if (index < messages.length - 1 || callsOf(message).length > 0) break
  }
  return words
}
