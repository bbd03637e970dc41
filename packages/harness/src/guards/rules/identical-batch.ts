import type { Guard } from '../guard.ts'
import { haltWithoutProgress } from '../halt-answer.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'

/** How many replies in a row may bring the same calls with the same success. */
const IDENTICAL_BATCH = { replies: 3 }

/** Halts when the calls of a reply succeed exactly like those of the previous replies. */
export function createIdenticalBatchGuard(seen: SeenCalls, limits = IDENTICAL_BATCH): Guard {
  let batch = ''
  let count = 0
  const reset = () => {
    batch = ''
    count = 0
  }
  return {
    name: 'identical-batch',
    afterCall({ result }) {
      if (!seen.isReplyComplete) return undefined
      if (!seen.reply.every(({ kind }) => kind === 'repeat')) {
        // It may be the first of a series.
        batch = seen.reply.every(({ kind }) => kind === 'progress') ? toBatch(seen) : ''
        count = 1
        return undefined
      }
      const next = toBatch(seen)
      count = next === batch && seen.reply.every(({ isExact }) => isExact) ? count + 1 : 1
      batch = next
      if (count >= limits.replies) {
        const facts = { tool: result.tool, count }
        reset()
        const isSame = seen.reply.every(({ isSameText }) => isSameText)
        return haltWithoutProgress(toTried(seen.reply.length, facts, isSame), facts, result, { isSame })
      }
      if (count < limits.replies - 1) return undefined
      return {
        action: 'nudge',
        text:
          'You have just made the same call again and got the same answer. Work with that answer: go on with ' +
          'something else, or answer the user.',
      }
    },
    reset,
  }
}

function toTried(calls: number, { tool, count }: { tool: string; count: number }, isSame: boolean): string {
  if (!isSame && calls === 1) return `"${tool}" was called ${count} times in a row with the same details`
  if (!isSame) return `the same ${calls} calls were made ${count} times in a row`
  return calls === 1
    ? `"${tool}" gave the same answer ${count} times in a row`
    : `the same ${calls} calls gave the same answers ${count} times in a row`
}

const toBatch = ({ reply }: SeenCalls): string => reply.map(({ pair }) => pair).join(' ')
