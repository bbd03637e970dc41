import type { Origin } from '@capstan/protocol'
import type { BudgetLimits } from './budget.ts'
import type { Effect } from './tool/tool.ts'

/** A turn that no person has asked for just now: a schedule is due, or something has happened. */
export interface Unattended {
  /** `trigger`: the message counts as untrusted text. `schedule`: it is the person's own words, from earlier. */
  readonly origin: UnattendedOrigin
  /** Limits of this turn, sub-agents included, over those of its agent. */
  readonly budget?: BudgetLimits
}

export type UnattendedOrigin = Extract<Origin, 'schedule' | 'trigger'>

const UNATTENDED: ReadonlySet<Origin> = new Set<UnattendedOrigin>(['schedule', 'trigger'])

/** Whether nobody watches the run. Its origin is stored with it, and its sub-agents have the same. */
export const isUnattended = (origin: Origin): origin is UnattendedOrigin => UNATTENDED.has(origin)

/** Whether only a person can allow the call, whatever mode, rules, policy function and grants say. */
export const needsPerson = (origin: Origin, effect: Effect): boolean =>
  effect !== 'read' && isUnattended(origin)
