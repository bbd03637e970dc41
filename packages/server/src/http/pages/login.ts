import { toLoginCookie } from '../../auth/login-cookie.ts'
import type { AppContext } from '../app-context.ts'
import { isFromOtherSite, isSecure } from '../app-context.ts'
import type { Callers } from '../callers.ts'
import type { Services } from '../route.ts'
import { toLoginPage } from './login-page.ts'

/** Redeems a login link: sets the cookie and redirects to the app. */
export function logIn(c: AppContext, { auth, port }: Services, callers: Callers): Response {
  callers.limitStranger(c)
  const ticket = c.req.query('ticket') ?? ''
  // A program that only previews the link, such as a mail client, does not use it up.
  if (isFromOtherSite(c) || c.req.raw.method === 'HEAD') return toLoginPage(ticket)
  const secret = auth.redeemTicket(ticket)
  // A person who is logged in already may follow an old link.
  const isLoggedIn = secret !== undefined || callers.identify(c) !== undefined
  const response = c.redirect(isLoggedIn ? '/' : '/?login=expired', 303)
  if (secret !== undefined) response.headers.append('set-cookie', toLoginCookie(port(), secret, isSecure(c)))
  return response
}
