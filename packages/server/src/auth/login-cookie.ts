// Cookies know no ports: two installations on one machine would log each other out under one name.
export const cookieNameOf = (port: number): string => `capstan_${port}`

const YEAR_SECONDS = 31_536_000

/** Strict: no other site's links and forms carry it. How sign-ins come back all the same: decision 13. */
export function toLoginCookie(port: number, secret: string, isSecure: boolean): string {
  return `${cookieNameOf(port)}=${secret}; ${attributes(isSecure)}; Max-Age=${YEAR_SECONDS}`
}

export function toEmptyCookie(port: number, isSecure: boolean): string {
  return `${cookieNameOf(port)}=; ${attributes(isSecure)}; Max-Age=0`
}

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** Every value under our name, in the order they came. */
export function readLoginCookies(header: string | undefined, port: number): readonly string[] {
  const start = `${cookieNameOf(port)}=`
  const cookies = (header ?? '').split(';').map((part) => part.trim())
  return cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length))
}
