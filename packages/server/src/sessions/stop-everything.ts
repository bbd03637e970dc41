import type { AllUsers } from './all-users.ts'
import type { Update } from './assistant.ts'
import type { RecordAudit } from './record-audit.ts'
import type { Holds } from './holds.ts'

/** Whose turns: of one user, or of everybody. `by` is who asked for it. */
export interface HoldScope {
  readonly by: string
  readonly isForEverybody: boolean
}

/** Stops everything and lets nothing start until it is released. */
export interface StopEverything {
  /** Settles when no turn is running. */
  hold(scope: HoldScope): Promise<void>
  release(scope: HoldScope): Promise<void>
}

export function createStopEverything(options: {
  readonly holds: Holds
  readonly users: AllUsers
  readonly record: RecordAudit
  readonly publish: (update: Update) => void
  readonly now: () => number
  /** With several nodes: settles when no turn of these users is running on any of them. */
  readonly untilIdle?: (userIds: readonly string[] | undefined) => Promise<void>
}): StopEverything {
  const { holds, users, publish, now, untilIdle } = options
  const usersOf = ({ by, isForEverybody }: HoldScope): readonly string[] =>
    isForEverybody ? users.known() : [by]
  const record = (action: 'hold' | 'release', { by, isForEverybody }: HoldScope) =>
    options.record(by, action, undefined, { everybody: isForEverybody })

  return {
    async hold(scope) {
      await holds.set(scope.isForEverybody ? undefined : scope.by, now()) // first, so that a crash cannot lose it
      const affected = usersOf(scope)
      await Promise.all(affected.map((userId) => users.threadsOf(userId).hold()))
      await record('hold', scope)
      for (const userId of affected) publish({ userId, type: 'settings-change' })
      await untilIdle?.(scope.isForEverybody ? undefined : affected) // last: the hold counts, also when a node does not answer
    },
    async release(scope) {
      await holds.clear(scope.isForEverybody ? undefined : scope.by)
      await record('release', scope)
      for (const userId of usersOf(scope)) {
        if (!holds.of(userId)) await users.threadsOf(userId).release()
        publish({ userId, type: 'settings-change' })
      }
      // Users with work whose threads were not opened during the hold.
      if (scope.isForEverybody) await users.resume()
    },
  }
}
