import type { Auth, Caller } from './auth.ts'
import { readLoginCookies } from './login-cookie.ts'

/**
 * Who sends a request. A page on another port of this host can put cookies of our name beside ours. One that is no good
 * counts for nothing, so nobody is locked out by it; when two users are named, it is neither, so nobody is made to act
 * as another.
 */
export function identifyRequest(
  auth: Auth,
  headers: { readonly cookie?: string | undefined; readonly authorization?: string | undefined },
  port: number,
): Caller | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return auth.identify({ authorization })
  const callers = readLoginCookies(headers.cookie, port).flatMap((cookie) => auth.identify({ cookie }) ?? [])
  return new Set(callers.map(({ userId }) => userId)).size === 1 ? callers[0] : undefined
}
