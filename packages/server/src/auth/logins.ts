import { hash, randomBytes } from 'node:crypto'
import type { Login, LoginsFile } from './logins-file.ts'
import type { Members } from './members.ts'
import type { Ticket } from './ticket.ts'

const HOUR_MS = 3_600_000
const MAX_PER_USER = 100
/** How long after a ticket was redeemed the login may change what reaches the machine. */
const FRESH_MS = 10 * 60_000
/** Enough to tell the logins of one user apart. */
const ID_CHARS = 16

/** A login as its user sees it. */
interface ListedLogin {
  readonly id: string
  readonly device: string
  readonly createdAt: number
  readonly usedAt: number
  readonly hash: string
}

/** The logins of an installation. They survive a restart. */
export interface Logins {
  /** Undefined for a ticket that cannot be redeemed. Throws a `StoreError` when the login cannot be stored; the ticket stays usable then. */
  redeem(ticket: Ticket, device: string): string | undefined
  /** Makes a login of the ticket's user fresh again. False for a ticket that cannot be redeemed or of another user. */
  refresh(hash: string, ticket: Ticket): boolean
  /** Whether a ticket was neither used nor made void. */
  isUsable(ticket: Ticket): boolean
  /** Never throws. */
  find(secret: string): Login | undefined
  isGood(hash: string): boolean
  /** The newest use first. */
  list(userId: string): readonly ListedLogin[]
  /** Ends the logins at once and notifies every listener. Throws a `StoreError` when the end cannot be stored. */
  revoke(hashes: readonly string[]): void
  /** The result unsubscribes. */
  onRevoke(listener: (hash: string) => void): () => void
}

/** The logins in this file. `members` decides whose tickets are void. */
export function createLogins(file: LoginsFile, members: Members, now: () => number): Logins {
  const { logins, usedTickets } = file
  const listeners = new Set<(hash: string) => void>()
  /** When the use of a login was last stored. Once an hour is enough, which saves writes. */
  const storedUse = new Map([...logins.values()].map((login) => [login.hash, login.usedAt]))

  const ofUser = (userId: string): readonly Login[] =>
    [...logins.values()]
      .filter((login) => login.userId === userId && file.isAlive(login))
      .toSorted((a, b) => b.usedAt - a.usedAt)

  function revoke(hashes: readonly string[]): void {
    const gone = hashes.filter((known) => logins.delete(known))
    if (gone.length === 0) return
    for (const known of gone) {
      storedUse.delete(known)
      for (const listener of listeners) listener(known)
    }
    file.save()
  }

  const isUsable = (ticket: Ticket): boolean =>
    !usedTickets.has(ticket.id) && ticket.expiresAt >= file.ticketsFrom && members.accepts(ticket)

  /** Uses the ticket up, in one write with the change. A write that fails undoes both. */
  function spend(ticket: Ticket, change: () => () => void): void {
    const undoMember = members.admit(ticket.userId)
    usedTickets.set(ticket.id, ticket.expiresAt)
    const undo = change()
    try {
      file.save() // before the browser gets the cookie: a ticket must not work twice
    } catch (error) {
      undo()
      usedTickets.delete(ticket.id)
      undoMember()
      throw error
    }
  }

  return {
    redeem(ticket, device) {
      if (!isUsable(ticket)) return undefined
      const { userId } = ticket
      // Keeps a user below the limit by dropping the least recently used logins.
      revoke(
        ofUser(userId)
          .slice(MAX_PER_USER - 1)
          .map((login) => login.hash),
      )
      const secret = randomBytes(32).toString('base64url')
      const times = { createdAt: now(), usedAt: now(), freshUntil: now() + FRESH_MS }
      const login: Login = { hash: hash('sha256', secret), userId, device, ...times }
      spend(ticket, () => {
        logins.set(login.hash, login)
        storedUse.set(login.hash, login.usedAt)
        return () => logins.delete(login.hash)
      })
      return secret
    },
    refresh(known, ticket) {
      const login = logins.get(known)
      if (!login || login.userId !== ticket.userId || !isUsable(ticket)) return false
      const before = login.freshUntil
      spend(ticket, () => {
        login.freshUntil = now() + FRESH_MS
        return () => (login.freshUntil = before)
      })
      return true
    },
    isUsable,
    find(secret) {
      const login = logins.get(hash('sha256', secret))
      if (!login || !file.isAlive(login)) return undefined
      login.usedAt = now()
      if (now() - (storedUse.get(login.hash) ?? 0) >= HOUR_MS) {
        storedUse.set(login.hash, now())
        file.trySave()
      }
      return login
    },
    isGood(known) {
      const login = logins.get(known)
      return login !== undefined && file.isAlive(login)
    },
    list: (userId) =>
      ofUser(userId).map(({ hash: own, device, createdAt, usedAt }) => ({
        id: own.slice(0, ID_CHARS),
        device,
        createdAt,
        usedAt,
        hash: own,
      })),
    revoke,
    onRevoke(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
