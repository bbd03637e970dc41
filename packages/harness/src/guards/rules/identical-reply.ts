import { looseCall } from '../compare/canonical-call.ts'
import type { ToolResult } from '../../turn/tool/tool-result.ts'
import type { Guard } from '../guard.ts'
import { haltWithoutProgress } from '../halt-answer.ts'
import { OutputPrint } from '../compare/output-print.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'
import { hashOf, mix } from '../compare/text-hash.ts'

/** How often in a row the model may send the same text with the same calls. */
const IDENTICAL_REPLY = { replies: 4 }

/**
 * Halts, before anything runs, when the model repeats the same text and calls without progress. Failures are left to the
 * guards for failures. A changed output is progress, except for a changed number in otherwise equal text of a tool that
 * does not watch anything.
 */
export function createIdenticalReplyGuard(seen: SeenCalls, limits = IDENTICAL_REPLY): Guard {
  let key = 0
  let count = 0
  let hasWords = false
  let moved = false
  let before: OutputPrint[] = []
  let now: OutputPrint[] = []
  let last: ToolResult | undefined
  let wasSame = false

  function moves(output: OutputPrint): boolean {
    const { kind } = seen.last
    if (kind !== 'progress') return kind !== 'repeat'
    const earlier = before[now.length - 1]
    return earlier !== undefined && (!hasWords || earlier.shape !== output.shape)
  }

  const reset = () => {
    key = 0
    count = 0
    before = []
    now = []
  }

  return {
    name: 'identical-reply',
    beforeCalls({ text, calls }) {
      let next = hashOf(text)
      for (const call of calls) next = mix(next ^ looseCall(call))
      const isSame = next === key
      count = isSame ? (moved ? 1 : count) + 1 : 1
      before = isSame ? now : []
      now = []
      key = next
      hasWords = text.trim() !== ''
      moved = false
      if (count >= limits.replies) {
        const what = calls.length === 1 ? `call to "${calls[0]!.tool}"` : `${calls.length} calls`
        const tried = `I sent the same ${what} with the same words ${count - 1} times and was about to do so again`
        const facts = { tool: calls.at(-1)!.tool, count: count - 1 }
        reset()
        return haltWithoutProgress(tried, facts, last, { isSame: wasSame })
      }
      if (count < limits.replies - 1) return undefined
      return {
        action: 'nudge',
        text:
          `You have sent this reply with the same calls ${count} times. Use the results you have, ask for ` +
          'something else, or give the user your answer.',
      }
    },
    afterCall({ result }) {
      const output = new OutputPrint(result.text, result.tool)
      now.push(output)
      last = result
      wasSame = seen.reply.every(({ isSameText }) => isSameText)
      moved ||= moves(output)
      return undefined
    },
    reset,
  }
}
