import { createHmac } from 'node:crypto'
import { openInstallSecret } from './install-secret.ts'
import { openLogins } from './logins.ts'
import { isEqual, readTicket, signTicket } from './ticket.ts'

/** Who sends a request. */
export interface Caller {
  readonly userId: string
  /** The owner of the installation may start programs on this machine, name its folders and set its keys. */
  readonly isOwner: boolean
  /** Binds a sign-in to the browser that began it. */
  readonly browserId: string
  /** The login's hash; absent for a program with the install token. */
  readonly login?: string
}

/** Logins, login tickets and the install token. */
export interface Auth {
  /** The install token. It authenticates as the owner; it is never logged and never sent to a browser. */
  readonly token: string
  /** A ticket for one login; by default of the owner. */
  mintTicket(userId?: string): string
  /** The new value of the browser's cookie. Undefined for a forged, expired or used ticket. */
  redeemTicket(ticket: string): string | undefined
  /** By the value of the login cookie or of the `authorization` header. */
  identify(shown: { readonly cookie?: string; readonly authorization?: string }): Caller | undefined
  /** Whether a login is still valid. */
  isGood(login: string): boolean
  logOut(login: string): void
  /** Calls the listener for every revoked login. The result unsubscribes. */
  onLogOut(listener: (login: string) => void): () => void
}

/** Options of `openAuth`. */
export interface AuthOptions {
  /** The data folder. Access to it is the right to log in. */
  readonly folder: string
  /** The user who owns the installation and whom the install token authenticates. Default `local`. */
  readonly ownerId?: string
  readonly now?: () => number
}

/** Opens the logins of a data folder. Throws a `ConfigurationError` when the folder cannot be used. */
export function openAuth({ folder, ownerId = 'local', now = Date.now }: AuthOptions): Auth {
  const { token, ticketKey, browserKey } = openInstallSecret(folder)
  const logins = openLogins(folder, now)
  const toBrowserId = (shown: string): string => createHmac('sha256', browserKey).update(shown).digest('hex')

  return {
    token,
    mintTicket: (userId = ownerId) => signTicket(ticketKey, userId, now()),
    redeemTicket(text) {
      const ticket = readTicket(ticketKey, text, now())
      return ticket && logins.redeem(ticket)?.secret
    },
    identify({ cookie, authorization }) {
      if (authorization !== undefined) {
        const [, shown] = /^Bearer (\S+)$/i.exec(authorization) ?? []
        if (shown === undefined || !isEqual(shown, token)) return undefined
        return { userId: ownerId, isOwner: true, browserId: toBrowserId(token) }
      }
      const login = cookie === undefined ? undefined : logins.find(cookie)
      if (!login) return undefined
      const { userId, hash } = login
      return { userId, isOwner: userId === ownerId, browserId: toBrowserId(hash), login: hash }
    },
    isGood: (login) => logins.isGood(login),
    logOut: (login) => logins.revoke(login),
    onLogOut: (listener) => logins.onRevoke(listener),
  }
}
