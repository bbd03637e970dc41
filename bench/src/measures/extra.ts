/** Measured for Capstan alone, each in a fresh process. */
export const EXTRAS = ['concurrent1000', 'nested3', 'stages', 'ledger'] as const

export type ExtraName = (typeof EXTRAS)[number]

export interface MeasuredExtra {
  /** Named with their units. */
  readonly values: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}
