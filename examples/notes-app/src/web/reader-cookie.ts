import { createHmac, timingSafeEqual } from 'node:crypto'

const NAME = 'notes_reader'
const LIFE_MS = 14 * 24 * 60 * 60 * 1000

/** Remembers in the browser whose notebook is open. Signed, so that nobody else can write one. */
export interface ReaderCookie {
  /** The account, or undefined when there is no valid cookie. */
  read(cookies: string | undefined): string | undefined
  write(accountId: string): string
  readonly clear: string
}

export function createReaderCookie(secret: string, now: () => number): ReaderCookie {
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(`${NAME}:${text}`).digest()
  return {
    read(cookies) {
      const value = cookies
        ?.split(/;\s*/u)
        .find((cookie) => cookie.startsWith(`${NAME}=`))
        ?.slice(NAME.length + 1)
      const [accountId, expiresAt, signature] = value?.split('.') ?? []
      if (accountId === undefined || expiresAt === undefined || signature === undefined) return undefined
      const expected = sign(`${accountId}.${expiresAt}`)
      const given = Buffer.from(signature, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return Number(expiresAt) > now() ? accountId : undefined
    },
    write(accountId) {
      const text = `${accountId}.${now() + LIFE_MS}`
      const value = `${text}.${sign(text).toString('base64url')}`
      return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFE_MS / 1000}`
    },
    clear: `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
  }
}
