import { Allowance } from '@capstan/harness/seams'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type { MemberLimits } from '../settings/member-limits.ts'

/** With several nodes: how long one counts by itself before it reads what the others have recorded. */
const SHARED_FRESH_MS = 5_000

/** What each user may spend, and has spent: one object per user, which all their turns in this process share. */
export function createAllowances({
  store,
  limits,
  clock,
  isShared = false,
}: {
  readonly store: Store
  readonly limits: MemberLimits
  readonly clock: Clock
  /** Other nodes spend, too. Default false. */
  readonly isShared?: boolean
}): (userId: string) => Allowance {
  const allowances = new Map<string, Allowance>()
  return (userId) => {
    const known = allowances.get(userId)
    if (known) return known
    const allowance = new Allowance({
      limits: () => limits.spendingOf(userId),
      clock,
      ...(isShared && { freshMs: SHARED_FRESH_MS }),
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
