import type { Guard } from '../guard.ts'
import { haltWithoutProgress } from '../halt-answer.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'

/** How many rounds of two alternating replies; and how many when one of them has a transient failure. */
const PING_PONG = { rounds: 3, transientRounds: 6 }

/** Halts when two replies alternate, each time with the same calls and the same outcomes. */
export function createPingPongGuard(seen: SeenCalls, limits = PING_PONG): Guard {
  let previous = ''
  let beforePrevious = ''
  let returns = 0
  let isTransient = false
  const reset = () => {
    previous = ''
    beforePrevious = ''
    returns = 0
    isTransient = false
  }
  return {
    name: 'ping-pong',
    afterCall({ result }) {
      if (!seen.isReplyComplete) return undefined
      const { reply } = seen
      if (reply.some(({ kind }) => kind === 'wait')) {
        reset()
        return undefined
      }
      const current = reply.map(({ pair }) => pair).join(' ')
      const isReturn = current === beforePrevious && current !== previous
      returns = isReturn ? returns + 1 : 0
      isTransient = (isReturn && isTransient) || reply.some(({ kind }) => kind === 'transient')
      beforePrevious = previous
      previous = current
      // The first round is new; every later round is two repetitions.
      const limit = ((isTransient ? limits.transientRounds : limits.rounds) - 1) * 2
      if (returns >= limit) {
        reset()
        const rounds = limit / 2 + 1
        return haltWithoutProgress(
          `I went back and forth between the same two steps ${rounds} times, the last of them "${result.tool}"`,
          { tool: result.tool, count: rounds },
          result,
          { isSame: seen.reply.every(({ isSameText }) => isSameText), lastFailure: seen.lastFailure },
        )
      }
      if (returns < limit - 1) return undefined
      return {
        action: 'nudge',
        text:
          'You are going back and forth between the same two steps, and neither changes anything. Do something ' +
          'else, or tell the user what is in the way.',
      }
    },
    reset,
  }
}
