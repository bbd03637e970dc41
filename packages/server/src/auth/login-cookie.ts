// Cookies ignore ports: under one name, two installations on one machine would log each other out.
export const cookieNameOf = (port: number): string => `capstan_${port}`

const YEAR_SECONDS = 31_536_000

/** `SameSite=Strict`: links and forms of other sites do not carry it. Decision 13 says how a sign-in returns. */
export function toLoginCookie(port: number, secret: string, isSecure: boolean): string {
  return `${cookieNameOf(port)}=${secret}; ${attributes(isSecure)}; Max-Age=${YEAR_SECONDS}`
}

export function toEmptyCookie(port: number, isSecure: boolean): string {
  return `${cookieNameOf(port)}=; ${attributes(isSecure)}; Max-Age=0`
}

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** Every value under our cookie name, in order. */
export function readLoginCookies(header: string | undefined, port: number): readonly string[] {
  const start = `${cookieNameOf(port)}=`
  const cookies = (header ?? '').split(';').map((part) => part.trim())
  return cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length))
}
