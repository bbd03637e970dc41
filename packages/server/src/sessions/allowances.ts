import { Allowance } from '@capstan/harness/seams'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type { MemberLimits } from '../settings/member-limits.ts'

/** What each user may spend, and has spent: one object per user, which all their turns share. */
export function createAllowances({
  store,
  limits,
  clock,
}: {
  readonly store: Store
  readonly limits: MemberLimits
  readonly clock: Clock
}): (userId: string) => Allowance {
  const allowances = new Map<string, Allowance>()
  return (userId) => {
    const known = allowances.get(userId)
    if (known) return known
    const allowance = new Allowance({
      limits: () => limits.spendingOf(userId),
      clock,
      async load(since) {
        const rows = await store.runs.usage({ userId, since })
        let [usd, tokens] = [0, 0]
        for (const { usage } of rows) {
          usd += usage.chargedUsd + usage.estimatedUsd
          tokens += usage.inputTokens + usage.outputTokens
        }
        return { usd, tokens }
      },
    })
    allowances.set(userId, allowance)
    return allowance
  }
}
