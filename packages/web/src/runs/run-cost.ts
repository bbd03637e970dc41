import type { RunRow, Usage } from '@capstan/protocol'

export interface RunCost {
  readonly usd: number
  /** No provider named the whole price: part of it is from our price table. */
  readonly isEstimated: boolean
}

export const toRunCost = ({ chargedUsd, estimatedUsd, estimated }: Usage): RunCost => ({
  usd: chargedUsd + estimatedUsd,
  isEstimated: estimatedUsd > 0 || estimated === true,
})

/** What a run used, once it has ended. */
export const usageOf = ({ outcome }: RunRow): Usage | undefined => outcome?.usage

/** How long a run took, or has been going on. */
export const durationOf = ({ startedAt, endedAt }: RunRow, now: number): number =>
  Math.max(0, (endedAt ?? now) - startedAt)

/** How many model calls the runs of a tree made, as far as they have ended. */
export const modelCallsOf = (tree: readonly RunRow[]): number =>
  tree.reduce((sum, { outcome }) => sum + (outcome?.iterations ?? 0), 0)
