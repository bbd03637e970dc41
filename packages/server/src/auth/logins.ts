import { hash, randomBytes } from 'node:crypto'
import { createUses } from './login-uses.ts'
import { isAlive } from './logins-file.ts'
import type { Login, LoginDraft, LoginsFile, LoginState } from './logins-file.ts'
import type { Members } from './members.ts'
import type { Ticket } from './ticket.ts'

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
  /** Undefined for a ticket that cannot be redeemed. Rejects with a `StoreError` when the login cannot be stored; the ticket stays usable then. */
  redeem(ticket: Ticket, device: string): Promise<string | undefined>
  /** Makes a login of the ticket's user fresh again. False for a ticket that cannot be redeemed or of another user. */
  refresh(hash: string, ticket: Ticket): Promise<boolean>
  /** Whether a ticket was neither used nor made void. */
  isUsable(ticket: Ticket): boolean
  /** Never throws. */
  find(secret: string): Login | undefined
  isGood(hash: string): boolean
  /** The newest use first. */
  list(userId: string): readonly ListedLogin[]
  /** Ends the logins at once and notifies every listener. Rejects with a `StoreError` when the end cannot be stored. */
  revoke(hashes: readonly string[]): Promise<void>
  /** Called for logins that ended, on this node or another one. The result unsubscribes. */
  onRevoke(listener: (hash: string) => void): () => void
}

/** The logins in this file. `members` decides whose tickets are void. */
export function createLogins(file: LoginsFile, members: Members, now: () => number): Logins {
  const listeners = new Set<(hash: string) => void>()
  const uses = createUses(file, now)

  file.watch(({ logins }, before) => {
    for (const known of before.logins.keys())
      if (!logins.has(known)) for (const listener of listeners) listener(known)
  })

  const ofUser = ({ logins }: LoginState, userId: string): readonly Login[] =>
    [...logins.values()]
      .filter((login) => login.userId === userId)
      .map((login) => ({ ...login, usedAt: uses.of(login) }))
      .filter((login) => isAlive(login, now()))
      .toSorted((a, b) => b.usedAt - a.usedAt)

  const isUsable = (state: LoginState, ticket: Ticket): boolean =>
    !state.usedTickets.has(ticket.id) &&
    ticket.expiresAt >= state.ticketsFrom &&
    members.accepts(state, ticket)

  /** Uses the ticket up, in one write with the change, before the browser gets the cookie: a ticket must not work twice. */
  async function spend(ticket: Ticket, change: (draft: LoginDraft) => boolean): Promise<boolean> {
    let isDone = false
    await file.change((draft) => {
      isDone = isUsable(draft, ticket) && change(draft)
      if (!isDone) return false
      members.admit(draft, ticket.userId)
      draft.usedTickets.set(ticket.id, ticket.expiresAt)
    })
    return isDone
  }

  return {
    async redeem(ticket, device) {
      const { userId } = ticket
      const secret = randomBytes(32).toString('base64url')
      const times = { createdAt: now(), usedAt: now(), freshUntil: now() + FRESH_MS }
      const login: Login = { hash: hash('sha256', secret), userId, device, ...times }
      const isDone = await spend(ticket, (draft) => {
        // Keeps a user below the limit by dropping the least recently used logins.
        for (const old of ofUser(draft, userId).slice(MAX_PER_USER - 1)) draft.logins.delete(old.hash)
        draft.logins.set(login.hash, login)
        return true
      })
      return isDone ? secret : undefined
    },
    refresh: (known, ticket) =>
      spend(ticket, ({ logins }) => {
        const login = logins.get(known)
        if (login?.userId !== ticket.userId) return false
        logins.set(known, { ...login, freshUntil: now() + FRESH_MS })
        return true
      }),
    isUsable: (ticket) => isUsable(file.state, ticket),
    find(secret) {
      const login = file.state.logins.get(hash('sha256', secret))
      if (!login || !isAlive({ ...login, usedAt: uses.of(login) }, now())) return undefined
      uses.note(login)
      return login
    },
    isGood(known) {
      const login = file.state.logins.get(known)
      return login !== undefined && isAlive({ ...login, usedAt: uses.of(login) }, now())
    },
    list: (userId) =>
      ofUser(file.state, userId).map(({ hash: own, device, createdAt, usedAt }) => ({
        id: own.slice(0, ID_CHARS),
        device,
        createdAt,
        usedAt,
        hash: own,
      })),
    revoke: (hashes) =>
      file.changeAtOnce(({ logins }) => {
        const gone = hashes.filter((known) => logins.delete(known))
        if (gone.length === 0) return false
      }),
    onRevoke(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
