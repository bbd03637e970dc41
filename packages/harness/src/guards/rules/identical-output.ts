import type { Guard } from '../guard.ts'
import { haltWithoutProgress } from '../halt-answer.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'
import { hashOf } from '../compare/text-hash.ts'

/**
 * How often a tool may return the same output for arguments that differ only cosmetically; and how often in a row for
 * other arguments, when so many of the last ones had been sent before.
 */
const IDENTICAL_OUTPUT = { replies: 4, variants: 6, sentBefore: 2 }

/** Longer outputs are compared only between equal calls. */
const LONGEST_OUTPUT = 2000

/**
 * Halts when a tool keeps returning the same output for loosely the same call. Other repetitions in between do not reset
 * the count; progress does. One output for many different calls is no repetition, until the same calls are sent again.
 */
export function createIdenticalOutputGuard(seen: SeenCalls, limits = IDENTICAL_OUTPUT): Guard {
  let output = 0
  let row = 0
  let sentBefore = 0
  const reset = () => {
    output = 0
    row = 0
    sentBefore = 0
  }

  /** Follows one output through replies with a single call. */
  function follow(tool: string, text: string): void {
    const { kind } = seen.last
    const isSuccess = kind === 'progress' || kind === 'repeat'
    if (!isSuccess || seen.reply.length > 1 || text.length > LONGEST_OUTPUT) return reset()
    const next = hashOf(`${tool} ${text}`)
    row = next === output ? row + 1 : 1
    sentBefore = next === output && kind === 'repeat' ? sentBefore + 1 : 0
    output = next
  }

  return {
    name: 'identical-output',
    afterCall({ result }) {
      follow(result.tool, result.text)
      const { kind, times } = seen.last
      if (kind !== 'repeat') return undefined
      const left = Math.min(
        limits.replies - times,
        Math.max(limits.variants - row, limits.sentBefore - sentBefore),
      )
      if (left <= 0) {
        const count = Math.max(times, row)
        const isSame = row >= times || seen.last.isSameText
        reset()
        return haltWithoutProgress(
          isSame
            ? `"${result.tool}" gave the same answer ${count} times to what is in essence the same question`
            : `"${result.tool}" was asked ${count} times for what is in essence the same`,
          { tool: result.tool, count },
          result,
          { isSame },
        )
      }
      if (left > 1) return undefined
      return {
        action: 'nudge',
        text:
          `"${result.tool}" has given the same answer ${Math.max(times, row)} times. Asking it in another way does ` +
          'not change it: go on with what you know, or tell the user what is missing.',
      }
    },
    reset,
  }
}
