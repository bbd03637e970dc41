import type { RunRow, Usage } from '@capstan/protocol'

export interface RunCost {
  readonly usd: number
  /** At least a part of the cost comes from the price table, not from the provider. */
  readonly isEstimated: boolean
}

export const toRunCost = ({ chargedUsd, estimatedUsd, estimated }: Usage): RunCost => ({
  usd: chargedUsd + estimatedUsd,
  isEstimated: estimatedUsd > 0 || estimated === true,
})

/** The usage of a run that has ended. */
export const usageOf = ({ outcome }: RunRow): Usage | undefined => outcome?.usage

/** How long a run took, or how long it has been running. */
export const durationOf = ({ startedAt, endedAt }: RunRow, now: number): number =>
  Math.max(0, (endedAt ?? now) - startedAt)

/** How many model calls the ended runs of a tree made. */
export const modelCallsOf = (tree: readonly RunRow[]): number =>
  tree.reduce((sum, { outcome }) => sum + (outcome?.iterations ?? 0), 0)
