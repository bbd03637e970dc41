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

export function readLoginCookie(header: string | null | undefined, port: number): string | undefined {
  const start = `${cookieNameOf(port)}=`
  for (const part of (header ?? '').split(';')) {
    const cookie = part.trim()
    if (cookie.startsWith(start) && cookie.length > start.length) return cookie.slice(start.length)
  }
  return undefined
}
