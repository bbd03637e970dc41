import type { Store } from '@capstan/harness/stores'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import { LIMIT_REASONS } from '../http/limits/limit-reasons.ts'
import { JobError } from '../jobs/job-handler.ts'
import type { StoredBytes } from '../sessions/stored-bytes.ts'
import type { MemberLimits } from '../settings/member-limits.ts'

const MEGABYTE = 1_000_000

/** Keeps turns without a person within the limits of a member. The owner has none. What is spent is counted by the turn. */
export interface AdmitUnattended {
  /** False: as many turns run as may. Rejects with a `JobError` when another limit is reached. */
  turn(userId: string): Promise<boolean>
  /** Rejects with a `JobError` when the user has as many threads as they may. */
  newThread(userId: string): Promise<void>
}

export function createAdmitUnattended(
  ownerId: string,
  {
    store,
    limits,
    storedBytes,
  }: {
    readonly store: Pick<Store, 'runs' | 'threads'>
    readonly limits: Pick<MemberLimits, 'of'>
    readonly storedBytes: Pick<StoredBytes, 'of'>
  },
): AdmitUnattended {
  return {
    async turn(userId) {
      if (userId === ownerId) return true
      const { messagesPerMinute, turnsAtOnce, storedMegabytes } = limits.of(userId)
      if (messagesPerMinute === 0) throw limitReached('messagesPerMinute')
      if ((await storedBytes.of(userId)) >= storedMegabytes * MEGABYTE) throw limitReached('storedMegabytes')
      const running = await store.runs.list({ userId, status: 'running', depth: 0, limit: turnsAtOnce + 1 })
      return running.length < turnsAtOnce
    },
    async newThread(userId) {
      if (userId === ownerId) return
      const most = limits.of(userId).threads
      let found = 0
      for (const archived of [false, true])
        found += (await store.threads.list({ userId, archived, limit: most + 1 })).length
      if (found >= most) throw limitReached('threads')
    },
  }
}

const limitReached = (limit: keyof typeof LIMIT_REASONS): JobError =>
  new JobError({
    class: 'quota_exhausted',
    category: FAILURE_CATEGORIES.quota_exhausted,
    cause: LIMIT_REASONS[limit],
    next: 'It is tried again by itself.',
    recoverable: false,
  })
