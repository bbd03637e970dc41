import type { SpendingLimits, UserLimits } from '@capstan/protocol'
import type { SettingsFile } from './settings-file.ts'

/** What a member may use until the owner changes it. */
export const DEFAULT_LIMITS: UserLimits = {
  turnsAtOnce: 4,
  messagesPerMinute: 20,
  usdPerDay: 5,
  threads: 1_000,
  storedMegabytes: 1_000,
}

/** The limits of the members, in the settings file. The owner has none but those for spending. */
export interface MemberLimits {
  of(userId: string): UserLimits
  /** Resolves when it is stored. */
  change(userId: string, limits: UserLimits): Promise<void>
  /** What a user may spend. The owner, too, if they chose so. */
  spendingOf(userId: string): SpendingLimits
  /** What the owner may spend. Resolves when it is stored. */
  changeOwnerSpending(limits: SpendingLimits): Promise<void>
}

export function createMemberLimits(file: SettingsFile, ownerId: string): MemberLimits {
  const limits: MemberLimits = {
    of: (userId) => {
      const { limits: stored } = file.document
      const { storedMegabytes = DEFAULT_LIMITS.storedMegabytes, ...rest } =
        (Object.hasOwn(stored, userId) ? stored[userId] : undefined) ?? DEFAULT_LIMITS
      return { ...rest, storedMegabytes }
    },
    async change(userId, changed) {
      await file.change((document) => ({ ...document, limits: { ...document.limits, [userId]: changed } }))
    },
    spendingOf: (userId) => (userId === ownerId ? file.document.ownerSpending : limits.of(userId)),
    async changeOwnerSpending(ownerSpending) {
      await file.change((document) => ({ ...document, ownerSpending }))
    },
  }
  return limits
}
