import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { openInstallSecret } from './install-secret.ts'

export const TICKET_LIFE_MS = 3_600_000
/** Longer than any ticket this server makes. */
const MAX_CHARS = 2_000

/** The right to log in once as a user, within an hour. */
export interface Ticket {
  readonly id: string
  readonly userId: string
  readonly expiresAt: number
}

/** For a program on the same machine: access to the data folder is the right to log in. */
export function mintTicket(folder: string, userId = 'local', now = Date.now()): string {
  return signTicket(openInstallSecret(folder).ticketKey, userId, now)
}

export function signTicket(key: Buffer, userId: string, now: number): string {
  const ticket: Ticket = {
    id: randomBytes(16).toString('base64url'),
    userId,
    expiresAt: now + TICKET_LIFE_MS,
  }
  const body = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${body}.${sign(key, body)}`
}

/** Undefined for a forged, truncated or expired ticket. Does not check whether it was used: the logins do. */
export function readTicket(key: Buffer, text: string, now: number): Ticket | undefined {
  const [body, signature, ...rest] = text.length > MAX_CHARS ? [] : text.split('.')
  if (!body || !signature || rest.length > 0 || !isEqual(sign(key, body), signature)) return undefined
  const ticket = JSON.parse(Buffer.from(body, 'base64url').toString()) as Ticket
  return ticket.expiresAt > now ? ticket : undefined
}

const sign = (key: Buffer, body: string): string => createHmac('sha256', key).update(body).digest('base64url')

export function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
