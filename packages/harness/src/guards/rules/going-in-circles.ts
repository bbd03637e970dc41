import type { Guard } from '../guard.ts'
import { haltWithoutProgress } from '../halt-answer.ts'
import type { SeenCalls, Sighting } from '../compare/seen-calls.ts'

/** How many replies in a row may bring only known results. */
const GOING_IN_CIRCLES = { replies: 6 }

const MOVES: ReadonlySet<Sighting['kind']> = new Set(['progress', 'wait', 'transient', 'changed-failure'])

/**
 * Halts when replies only repeat earlier calls and outcomes, in any order: circles of three and more. A new failure is
 * neither progress nor repetition. A declared wait or a transient failure resets the count.
 */
export function createGoingInCirclesGuard(seen: SeenCalls, limits = GOING_IN_CIRCLES): Guard {
  let idle = 0
  return {
    name: 'going-in-circles',
    afterCall({ result }) {
      if (!seen.isReplyComplete) return undefined
      const kinds = seen.reply.map(({ kind }) => kind)
      if (kinds.some((kind) => MOVES.has(kind))) idle = 0
      else if (kinds.some((kind) => kind === 'repeat' || kind === 'repeat-failure')) idle++
      else return undefined
      if (idle >= limits.replies) {
        const steps = idle
        idle = 0
        return haltWithoutProgress(
          `the last ${steps} steps only repeated earlier ones, the last of them "${result.tool}"`,
          { tool: result.tool, count: steps },
          result,
          { isSame: seen.reply.every(({ isSameText }) => isSameText), lastFailure: seen.lastFailure },
        )
      }
      if (idle < limits.replies - 1) return undefined
      return {
        action: 'nudge',
        text:
          `Your last ${idle} steps repeated earlier ones with the same outcomes. Stop and take stock: use what you ` +
          'know, do something you have not done yet, or answer the user.',
      }
    },
    reset: () => {
      idle = 0
    },
  }
}
