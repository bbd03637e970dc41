import { ConfigurationError } from '@capstan/harness'
import { fieldError } from '../settings/field-error.ts'
import type { LoginsFile, Member } from './logins-file.ts'
import type { Ticket } from './ticket.ts'
import { TICKET_LIFE_MS } from './ticket.ts'

const MAX_MEMBERS = 500
const USER_NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** The users whom the owner let in, beside the owner. */
export interface Members {
  list(): readonly Member[]
  has(userId: string): boolean
  /** Throws a `ConfigurationError` for a name that cannot be used or is taken, and a `StoreError`. */
  add(userId: string): void
  /**
   * Takes the right to log in away, also from tickets that were made before. False when there is no such member. The
   * caller revokes the logins, which stores both in one write.
   */
  markRemoved(userId: string): boolean
  /** Whether the user may redeem this ticket. */
  accepts(ticket: Ticket): boolean
  /** A ticket is made by the owner, so whoever redeems one is a member. The result undoes it. Stores nothing. */
  admit(userId: string): () => void
  /** The earliest time a new ticket of this user may carry. */
  ticketsAfter(userId: string): number
}

export function createMembers(file: LoginsFile, ownerId: string, now: () => number): Members {
  const { members } = file
  const present = (): readonly Member[] => [...members.values()].filter(({ isRemoved }) => !isRemoved)

  function admit(userId: string): () => void {
    const known = members.get(userId)
    if (userId === ownerId || (known && !known.isRemoved)) return () => {}
    const ticketsAfter = known?.ticketsAfter ?? 0
    members.set(userId, { userId, addedAt: now(), ticketsAfter, isRemoved: false })
    return () => void (known ? members.set(userId, known) : members.delete(userId))
  }

  // An older version stored logins alone: whoever had one is a member.
  for (const { userId } of file.logins.values()) admit(userId)

  return {
    list: () => present().toSorted((a, b) => a.userId.localeCompare(b.userId)),
    has: (userId) => members.get(userId)?.isRemoved === false,
    add(userId) {
      checkUserName(userId)
      if (userId === ownerId)
        throw new ConfigurationError('userId', 'is the name of the owner', { kind: 'taken', value: userId })
      if (members.get(userId)?.isRemoved === false)
        throw new ConfigurationError('userId', `"${userId}" is a member already`, {
          kind: 'taken',
          value: userId,
        })
      if (present().length >= MAX_MEMBERS) throw fieldError('userId', { kind: 'too-many', most: MAX_MEMBERS })
      const undo = admit(userId)
      try {
        file.save()
      } catch (error) {
        undo()
        throw error
      }
    },
    markRemoved(userId) {
      const member = members.get(userId)
      if (!member || member.isRemoved) return false
      members.set(userId, { ...member, isRemoved: true, ticketsAfter: now() })
      return true
    },
    accepts: ({ userId, expiresAt }) =>
      expiresAt - TICKET_LIFE_MS > (members.get(userId)?.ticketsAfter ?? Number.NEGATIVE_INFINITY),
    admit,
    ticketsAfter: (userId) => members.get(userId)?.ticketsAfter ?? 0,
  }
}

/** Throws a `ConfigurationError` for a name that could be mistaken for another one. */
export function checkUserName(userId: string): void {
  if (!USER_NAME.test(userId))
    throw new ConfigurationError(
      'userId',
      'must be 1 to 64 small letters, digits, dots, hyphens, underscores or @, and begin with a letter or a digit',
      { kind: 'bad-name', most: 64 },
    )
}
