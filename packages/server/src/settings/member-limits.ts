import type { UserLimits } from '@capstan/protocol'
import type { SettingsFile } from './settings-file.ts'

/** What a member may use until the owner changes it. */
export const DEFAULT_LIMITS: UserLimits = {
  turnsAtOnce: 4,
  messagesPerMinute: 20,
  usdPerDay: 5,
  threads: 1_000,
  storedMegabytes: 1_000,
}

/** The limits of the members, in the settings file. The owner has none. */
export interface MemberLimits {
  of(userId: string): UserLimits
  /** Resolves when it is stored. */
  change(userId: string, limits: UserLimits): Promise<void>
}

export function createMemberLimits(file: SettingsFile): MemberLimits {
  return {
    of: (userId) => {
      const { limits } = file.document
      const { storedMegabytes = DEFAULT_LIMITS.storedMegabytes, ...rest } =
        (Object.hasOwn(limits, userId) ? limits[userId] : undefined) ?? DEFAULT_LIMITS
      return { ...rest, storedMegabytes }
    },
    async change(userId, limits) {
      await file.change((document) => ({ ...document, limits: { ...document.limits, [userId]: limits } }))
    },
  }
}
