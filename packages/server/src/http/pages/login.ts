import { toDevice } from '../../auth/device.ts'
import { toLoginCookie } from '../../auth/login-cookie.ts'
import { ApiError } from '../api-error.ts'
import type { AppContext, AppOptions } from '../app-context.ts'
import { isSecure } from '../app-context.ts'
import type { Callers } from '../callers.ts'
import type { Services } from '../route.ts'
import { toLoginPage } from './login-page.ts'

/** More than a form with a ticket has. */
const MAX_FORM_BYTES = 8_000

/** What a login link opens: a page that asks. It never uses the ticket up. */
export async function askToLogIn(c: AppContext, { auth }: Services, callers: Callers): Promise<Response> {
  await callers.limitStranger(c)
  const ticket = c.req.query('ticket') ?? ''
  const found = auth.readTicket(ticket)
  if (found) return toLoginPage(ticket, found.userId, c.req.header('accept-language'))
  // A person who is logged in already may follow an old link.
  return c.redirect(callers.identify(c) ? '/' : '/?login=expired', 303)
}

/**
 * Redeems the ticket of the page above: sets the cookie and redirects to the app. The origin was checked before: no page
 * of another site can log a browser in. A browser that is logged in as the same user keeps its login, which is fresh again.
 */
export async function logIn(
  c: AppContext,
  { services: { auth, port }, assistant }: Pick<AppOptions, 'services' | 'assistant'>,
  callers: Callers,
): Promise<Response> {
  await callers.limitStranger(c)
  const ticket = new URLSearchParams(await readForm(c)).get('ticket') ?? ''
  const caller = callers.identify(c)
  if (caller?.login !== undefined && (await auth.refreshLogin(caller.login, ticket)))
    return c.redirect('/', 303)
  const found = auth.readTicket(ticket)
  const device = toDevice(c.req.header('user-agent'))
  const secret = await auth.redeemTicket(ticket, device)
  if (secret !== undefined && found) await assistant.record(found.userId, 'login', found.userId, { device })
  const response = c.redirect(secret !== undefined || caller ? '/' : '/?login=expired', 303)
  if (secret !== undefined) response.headers.append('set-cookie', toLoginCookie(port(), secret, isSecure(c)))
  return response
}

async function readForm(c: AppContext): Promise<string> {
  const bytes = Number(c.req.header('content-length') ?? Number.NaN)
  if (!(bytes <= MAX_FORM_BYTES)) throw new ApiError('too_large', 'The form must be at most 8 KB.')
  return c.req.text()
}
