import { createHmac } from 'node:crypto'
import type { Documents } from '../documents/documents.ts'
import { createFileDocuments } from '../documents/file-documents.ts'
import { openInstallSecret } from './install-secret.ts'
import type { InstallSecret } from './install-secret.ts'
import { openLoginsFile } from './logins-file.ts'
import { createLogins } from './logins.ts'
import { createMembers } from './members.ts'
import { isEqual, readTicket, signTicket } from './ticket.ts'

/** Who sends a request. */
export interface Caller {
  readonly userId: string
  /** The owner of the installation may start programs on this machine, name its folders and set its keys. */
  readonly isOwner: boolean
  /** Logged in a short time ago, or a program with the install token. What reaches the machine asks for it. */
  readonly isFresh: boolean
  /** Binds a sign-in to the browser that began it. */
  readonly browserId: string
  /** The login's hash; absent for a program with the install token. */
  readonly login?: string
}

/** A login of a user. */
interface LoginEntry {
  readonly id: string
  /** Such as `Firefox on Linux`; blank when it is not known. */
  readonly device: string
  readonly createdAt: number
  readonly usedAt: number
  /** Whether the login with this hash was asked for. */
  readonly isThis: boolean
}

/** A member, with the use of their logins. */
export interface MemberEntry {
  readonly userId: string
  readonly addedAt: number
  readonly logins: number
  /** Absent for a member without a login. */
  readonly usedAt?: number
}

/** Logins, login tickets, members and the install token. */
export interface Auth {
  /** The install token. It authenticates as the owner; it is never logged and never sent to a browser. */
  readonly token: string
  readonly ownerId: string
  /** A ticket for one login; by default of the owner. Whoever redeems it is a member from then on. */
  mintTicket(userId?: string): string
  /** Whom a ticket would log in. Undefined for one that cannot be redeemed. Uses nothing up. */
  readTicket(ticket: string): { readonly userId: string } | undefined
  /** The new value of the browser's cookie. Undefined for a forged, expired, used or void ticket. */
  redeemTicket(ticket: string, device?: string): Promise<string | undefined>
  /** Makes a login fresh again. False when the ticket is not good or belongs to another user. Uses the ticket up. */
  refreshLogin(login: string, ticket: string): Promise<boolean>
  /** By the value of the login cookie or of the `authorization` header. */
  identify(shown: { readonly cookie?: string; readonly authorization?: string }): Caller | undefined
  /** Reads what other nodes stored a moment ago, if there are any. Never rejects. */
  catchUp(): Promise<void>
  /** Whether a login is still valid. */
  isGood(login: string): boolean
  /** Ends the login at once. Rejects with a `StoreError` when the end cannot be stored. */
  logOut(login: string): Promise<void>
  /** Calls the listener for every revoked login, also when another node revoked it. The result unsubscribes. */
  onLogOut(listener: (login: string) => void): () => void
  /** The logins of a user, the newest use first. `login` is the one that asks. */
  listLogins(userId: string, login?: string): readonly LoginEntry[]
  /** False when the user has no such login. */
  revokeLogin(userId: string, id: string): Promise<boolean>
  /** Ends every login of a user except `login`. The result counts them. */
  revokeOtherLogins(userId: string, login?: string): Promise<number>
  listMembers(): readonly MemberEntry[]
  /** Rejects with a `ConfigurationError` for a name that cannot be used or is taken. */
  addMember(userId: string): Promise<void>
  /** Ends all logins of a member and makes their tickets void. False when there is no such member. */
  removeMember(userId: string): Promise<boolean>
}

/** Options of `openAuth`. */
export interface AuthOptions {
  /** The data folder. Access to it is the right to log in. */
  readonly folder: string
  /** Of nodes that share a database: where logins are, and the secret of the installation. Default: in the folder. */
  readonly shared?: { readonly documents: Documents; readonly installSecret: InstallSecret }
  /** The user who owns the installation and whom the install token authenticates. Default `local`. */
  readonly ownerId?: string
  readonly now?: () => number
}

/** Opens the logins of a data folder. Throws a `ConfigurationError` when the folder cannot be used. */
export function openAuth({ folder, shared, ownerId = 'local', now = Date.now }: AuthOptions): Auth {
  const { token, ticketKey, browserKey } = shared?.installSecret ?? openInstallSecret(folder)
  const file = openLoginsFile(shared?.documents ?? createFileDocuments(folder), ownerId, now)
  const members = createMembers(file, ownerId, now)
  const logins = createLogins(file, members, now)
  const toBrowserId = (shown: string): string => createHmac('sha256', browserKey).update(shown).digest('hex')
  const revokeWhere = async (userId: string, isGone: (login: { id: string; hash: string }) => boolean) => {
    const gone = logins.list(userId).filter(isGone)
    if (gone.length > 0) await logins.revoke(gone.map(({ hash }) => hash))
    return gone.length
  }

  return {
    token,
    ownerId,
    mintTicket: (userId = ownerId) =>
      signTicket(ticketKey, userId, Math.max(now(), members.ticketsAfter(userId) + 1)),
    readTicket(text) {
      const ticket = readTicket(ticketKey, text, now())
      return ticket && logins.isUsable(ticket) ? { userId: ticket.userId } : undefined
    },
    async redeemTicket(text, device = '') {
      const ticket = readTicket(ticketKey, text, now())
      return ticket && logins.redeem(ticket, device)
    },
    async refreshLogin(login, text) {
      const ticket = readTicket(ticketKey, text, now())
      return ticket !== undefined && (await logins.refresh(login, ticket))
    },
    identify({ cookie, authorization }) {
      if (authorization !== undefined) {
        const [, shown] = /^Bearer (\S+)$/i.exec(authorization) ?? []
        if (shown === undefined || !isEqual(shown, token)) return undefined
        return { userId: ownerId, isOwner: true, isFresh: true, browserId: toBrowserId(token) }
      }
      const login = cookie === undefined ? undefined : logins.find(cookie)
      if (!login) return undefined
      const { userId, hash, freshUntil } = login
      const isOwner = userId === ownerId
      return { userId, isOwner, isFresh: freshUntil > now(), browserId: toBrowserId(hash), login: hash }
    },
    catchUp: () => file.change(() => false).catch(() => {}),
    isGood: (login) => logins.isGood(login),
    logOut: (login) => logins.revoke([login]),
    onLogOut: (listener) => logins.onRevoke(listener),
    listLogins: (userId, login) =>
      logins.list(userId).map(({ hash, ...entry }) => ({ ...entry, isThis: hash === login })),
    revokeLogin: async (userId, id) => (await revokeWhere(userId, (login) => login.id === id)) > 0,
    revokeOtherLogins: (userId, login) => revokeWhere(userId, ({ hash }) => hash !== login),
    listMembers: () =>
      members.list().map(({ userId, addedAt }) => {
        const [newest, ...others] = logins.list(userId)
        return newest
          ? { userId, addedAt, logins: others.length + 1, usedAt: newest.usedAt }
          : { userId, addedAt, logins: 0 }
      }),
    addMember: (userId) => members.add(userId),
    async removeMember(userId) {
      if (!members.has(userId)) return false
      await file.changeAtOnce((draft) => {
        members.markRemoved(draft, userId)
        for (const { hash, userId: whose } of draft.logins.values())
          if (whose === userId) draft.logins.delete(hash)
      })
      return true
    },
  }
}
