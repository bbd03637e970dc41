import { createHmac } from 'node:crypto'
import { openInstallSecret } from './install-secret.ts'
import { openLogins } from './logins.ts'
import { isEqual, readTicket, signTicket } from './ticket.ts'

/** Who asks. */
export interface Caller {
  readonly userId: string
  /** Whoever runs the installation: may start programs on this machine, name its folders and set its keys. */
  readonly isOwner: boolean
  /** What a sign-in is bound to: only this browser can finish what it began. */
  readonly browserId: string
  /** The login's hash; absent for a program with the install token. */
  readonly login?: string
}

/** Who may come in, and as whom. */
export interface Auth {
  /** The install token: whoever holds it is the owner. Never logged, never sent to a browser. */
  readonly token: string
  mintTicket(userId?: string): string
  /** What the browser's cookie holds from now on. Undefined for a ticket that is forged, old or used. */
  redeemTicket(ticket: string): string | undefined
  /** From the value of our cookie, or of the `authorization` header. */
  identify(shown: { readonly cookie?: string; readonly authorization?: string }): Caller | undefined
  /** Whether a login that was good is so still. */
  isGood(login: string): boolean
  logOut(login: string): void
  /** Hears of every login that was revoked. The result stops it. */
  onLogOut(listener: (login: string) => void): () => void
}

export interface AuthOptions {
  /** The data folder. Whoever can read it can log in. */
  readonly folder: string
  /** Who runs the installation, and as whom programs with the install token act. Default `local`. */
  readonly ownerId?: string
  readonly now?: () => number
}

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
