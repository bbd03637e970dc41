import type { MiddlewareHandler } from 'hono'
import { HOOKS_PATH } from '../../triggers/stored-source.ts'
import { ApiError } from '../api-error.ts'
import type { AppEnv, AppOptions } from '../app-context.ts'
import { isFromOtherSite } from '../app-context.ts'

/** Refuses requests under a name that is not ours, and commands that do not come from a page of this server. */
export function checkOrigin({
  origins,
  seeRequest,
  isStopping,
}: Pick<AppOptions, 'origins' | 'seeRequest' | 'isStopping'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method } = c.req
    const { address, host, protocol } = seeRequest({
      peer: c.env.incoming?.socket.remoteAddress,
      header: (name) => c.req.header(name),
    })
    c.set('address', address)
    const origin = origins.originOf(host, protocol)
    // Another site may let its own name point at this machine, so that its pages count as ours.
    if (origin === undefined) throw new ApiError('forbidden', 'This server is not known under this name.')
    c.set('origin', origin)
    // Not even reads: to a browser, another port of this host is the same site, and it sends the cookie along.
    if (isFromOtherSite(c) && /^\/(api|metrics)(\/|$)/.test(c.req.path)) throw notOurPage()
    if (method !== 'GET' && method !== 'HEAD') {
      // A service has no login and is no page: its signature is checked instead.
      const isHook = c.req.path.startsWith(`${HOOKS_PATH}/`)
      const shown = { host, protocol, origin: c.req.header('origin'), site: c.req.header('sec-fetch-site') }
      const isProgram = shown.origin === undefined && c.req.header('authorization') !== undefined
      if (!isHook && !isProgram && !origins.isOwnPage(shown)) {
        // A browser names its page. Without a page and without a cookie, it is a program that has not logged in.
        const isBrowser = shown.origin !== undefined || shown.site !== undefined
        throw isBrowser || c.req.header('cookie') !== undefined ? notOurPage() : noToken()
      }
      if (isStopping())
        throw new ApiError('unavailable', 'The server is about to stop.', { retryAfterMs: 2_000 })
    }
    await next()
  }
}

const notOurPage = (): ApiError =>
  new ApiError('forbidden', 'This request does not come from a page of this server.')

const noToken = (): ApiError =>
  new ApiError(
    'forbidden',
    'The login is missing. A program sends the header "Authorization: Bearer <token>"; "npx capstan login --token" prints ' +
      'the token. In a browser, open the link of "npx capstan login".',
  )
