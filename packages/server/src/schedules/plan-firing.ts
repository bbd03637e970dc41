import type { MisfireRule } from '@capstan/protocol'
import type { DueTimes } from './timing/due-times.ts'

/** A run that starts later than this was missed, and the rule decides. */
const ON_TIME_MS = 5 * 60_000
/** How late a missed run may start. */
const GRACE_MS: Readonly<Record<MisfireRule, number>> = {
  skip: ON_TIME_MS,
  once: 12 * 60 * 60_000,
  all: 24 * 60 * 60_000,
}
const MAX_CAUGHT_UP = 10

/** What to do at an instant. */
export interface FiringPlan {
  /** The due time to run. Undefined: none yet. */
  readonly fire?: number
  /** Due times that do not run. */
  readonly missed?: { readonly from: number; readonly until?: number }
  /** The first due time that is not settled by this. Undefined: there is none. */
  readonly due: number | undefined
}

/** Decides which due time runs. `due` is the first one that is not settled. Pure. */
export function planFiring(due: number, now: number, rule: MisfireRule, times: DueTimes): FiringPlan {
  if (due > now) return { due }
  const candidates = times.within(Math.max(due - 1000, now - GRACE_MS[rule] - 1000), now)
  const [fire] = candidates.slice(rule === 'all' ? -MAX_CAUGHT_UP : -1)
  const next = times.after(fire ?? now)
  if (fire === due) return { fire, due: next }
  const isMany = times.after(due) !== fire && (times.after(due) ?? Infinity) <= now
  const missed = { from: due, ...(isMany && { until: fire ?? now }) }
  return { missed, due: next, ...(fire !== undefined && { fire }) }
}
