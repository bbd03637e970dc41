import type { Origin } from '@capstan/protocol'
import type { TurnLimits } from '../engine/turn.ts'

/** Origins of work that nobody watches: no person can ask it to go on. */
const AUTONOMOUS: ReadonlySet<Origin> = new Set(['task', 'schedule', 'trigger'])

const AUTONOMOUS_ITERATIONS = 200

/**
 * The limits of a run. One that works by itself may take 200 iterations, and so may its sub-agents, which have its
 * origin. Its budget holds as always, and lowers this when it must.
 */
export function liftLimits(limits: TurnLimits, origin: Origin): TurnLimits {
  if (!AUTONOMOUS.has(origin) || limits.maxIterations >= AUTONOMOUS_ITERATIONS) return limits
  return { ...limits, maxIterations: AUTONOMOUS_ITERATIONS }
}
