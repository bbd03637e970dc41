/** What a user may spend on models in all their turns together. An absent limit is none. Days and months are in UTC. */
export interface SpendingLimits {
  readonly usdPerDay?: number
  readonly usdPerMonth?: number
  /** Input and output tokens. */
  readonly tokensPerDay?: number
  readonly tokensPerMonth?: number
}

export type SpendingPeriod = 'day' | 'month'

/** What was spent. */
export interface AmountSpent {
  readonly usd: number
  readonly tokens: number
}

/** One limit, and what of it is used. */
export interface SpendingLimit {
  readonly period: SpendingPeriod
  readonly unit: keyof AmountSpent
  readonly limit: number
  readonly used: number
}

/** What a user may spend, and has spent. */
export interface Spending {
  readonly limits: SpendingLimits
  readonly used: Readonly<Record<SpendingPeriod, AmountSpent>>
  /** Whether this user sets the limits. Those of a member are set by the owner. */
  readonly mayChange: boolean
}
