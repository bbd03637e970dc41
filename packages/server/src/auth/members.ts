import { ConfigurationError } from '@capstan/harness'
import { fieldError } from '../settings/field-error.ts'
import type { LoginDraft, LoginsFile, LoginState, Member } from './logins-file.ts'
import type { Ticket } from './ticket.ts'
import { TICKET_LIFE_MS } from './ticket.ts'

const MAX_MEMBERS = 500
const USER_NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** The users whom the owner let in, beside the owner. */
export interface Members {
  list(): readonly Member[]
  has(userId: string): boolean
  /** Rejects with a `ConfigurationError` for a name that cannot be used or is taken, and with a `StoreError`. */
  add(userId: string): Promise<void>
  /** Takes the right to log in away, also from tickets that were made before. */
  markRemoved(draft: LoginDraft, userId: string): void
  /** Whether the user may redeem this ticket. */
  accepts(state: LoginState, ticket: Ticket): boolean
  /** A ticket is made by the owner, so whoever redeems one is a member. */
  admit(draft: LoginDraft, userId: string): void
  /** The earliest time a new ticket of this user may carry. */
  ticketsAfter(userId: string): number
}

export function createMembers(file: LoginsFile, ownerId: string, now: () => number): Members {
  const present = ({ members }: LoginState): readonly Member[] =>
    [...members.values()].filter(({ isRemoved }) => !isRemoved)

  function admit({ members }: LoginDraft, userId: string): void {
    const known = members.get(userId)
    if (userId === ownerId || known?.isRemoved === false) return
    members.set(userId, { userId, addedAt: now(), ticketsAfter: known?.ticketsAfter ?? 0, isRemoved: false })
  }

  return {
    list: () => present(file.state).toSorted((a, b) => a.userId.localeCompare(b.userId)),
    has: (userId) => file.state.members.get(userId)?.isRemoved === false,
    async add(userId) {
      checkUserName(userId)
      if (userId === ownerId)
        throw new ConfigurationError('userId', 'is the name of the owner', { kind: 'taken', value: userId })
      await file.change((draft) => {
        if (draft.members.get(userId)?.isRemoved === false)
          throw new ConfigurationError('userId', `"${userId}" is a member already`, {
            kind: 'taken',
            value: userId,
          })
        if (present(draft).length >= MAX_MEMBERS)
          throw fieldError('userId', { kind: 'too-many', most: MAX_MEMBERS })
        admit(draft, userId)
      })
    },
    markRemoved({ members }, userId) {
      const member = members.get(userId)
      if (member?.isRemoved === false)
        members.set(userId, { ...member, isRemoved: true, ticketsAfter: now() })
    },
    accepts: ({ members }, { userId, expiresAt }) =>
      expiresAt - TICKET_LIFE_MS > (members.get(userId)?.ticketsAfter ?? Number.NEGATIVE_INFINITY),
    admit,
    ticketsAfter: (userId) => file.state.members.get(userId)?.ticketsAfter ?? 0,
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
