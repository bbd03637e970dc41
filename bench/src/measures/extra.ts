/** Measured for Capstan alone, each in a fresh process. */
export const EXTRAS = ['stages', 'ledger', 'telemetry'] as const

export type ExtraName = (typeof EXTRAS)[number]

export interface MeasuredExtra {
  /** Named with their units. */
  readonly values: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}
