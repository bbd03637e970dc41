import type { Auth, Caller } from './auth.ts'
import { readLoginCookies } from './login-cookie.ts'

/**
 * Identifies the caller of a request. A page on another port of this host can set cookies with our name. An invalid cookie
 * is ignored, so that it locks nobody out; cookies of two users identify nobody, so that no user acts as another.
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
