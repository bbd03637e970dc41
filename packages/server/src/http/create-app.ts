import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Caller } from '../auth/auth.ts'
import { identifyRequest } from '../auth/identify-request.ts'
import { toEmptyCookie, toLoginCookie } from '../auth/login-cookie.ts'
import type { OwnOrigins } from '../auth/own-origin.ts'
import type { ServerLimits } from './limits/server-limits.ts'
import { CALLBACK_PATH } from '../oauth/callback-path.ts'
import { finishSignIn } from '../oauth/finish-sign-in.ts'
import { PAGE_PARTS, RETURN_PATH } from '../oauth/pages.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Assistant } from '../sessions/assistant.ts'
import { ApiError, notFound, notYours, toProblem } from './api-error.ts'
import { checkInput } from './payload/check-input.ts'
import type { InFlight } from './limits/in-flight.ts'
import { createRateLimit } from './limits/rate-limit.ts'
import { toLoginPage } from './pages/login-page.ts'
import { readBody } from './payload/read-body.ts'
import type { Route, Services } from './route.ts'
import { NOTHING } from './route.ts'
import { ROUTES } from './routes/routes.ts'
import { setSecurityHeaders } from './middleware/security-headers.ts'
import type { StaticFiles } from './static/static-files.ts'
import { toApiError } from './to-api-error.ts'
import { toJson, toJsonText } from './payload/to-json.ts'
import { toOpenApi } from './openapi/to-openapi.ts'

export interface AppOptions {
  readonly assistant: Assistant
  readonly services: Services
  readonly origins: OwnOrigins
  readonly limits: ServerLimits
  readonly metrics: Metrics
  readonly logger: Logger
  readonly files?: StaticFiles
  readonly inFlight: InFlight
  /** True while the server goes down: nothing new is begun. */
  readonly isStopping: () => boolean
  /** For tests: an answer that is not what its schema says is a bug. */
  readonly checkAnswers?: boolean
}

interface Env {
  readonly Bindings: HttpBindings
  readonly Variables: {
    readonly origin: string
    readonly caller?: Caller
    readonly route: string
    readonly requestId: string
  }
}
type AppContext = Context<Env>

/** Everything over HTTP, made from the list of routes. */
export function createApp(options: AppOptions): Hono<Env> {
  const { services, origins, limits, metrics, assistant, files } = options
  const { auth } = services
  const requests = createRateLimit(limits.requests)
  const messages = createRateLimit(limits.messages)
  const strangers = createRateLimit(limits.strangers)
  const openings = createRateLimit(limits.openings)
  const app = new Hono<Env>()

  const identify = (c: AppContext): Caller | undefined =>
    identifyRequest(
      auth,
      { cookie: c.req.header('cookie'), authorization: c.req.header('authorization') },
      services.port(),
    )
  const limitStranger = (c: AppContext): void => {
    const address = c.env.incoming?.socket.remoteAddress ?? ''
    refuseWhen(strangers.take(address))
  }
  /** Who it is. Nobody learns anything without it, not even that a path exists. */
  const requireCaller = (c: AppContext): Caller => {
    const caller = identify(c)
    if (!caller) {
      limitStranger(c)
      throw new ApiError('signed_out', 'Log in first: open the link that was printed when Capstan started.')
    }
    refuseWhen(requests.take(caller.userId))
    return caller
  }

  app.use(async (c, next) => {
    const started = performance.now()
    c.set('requestId', randomUUID())
    const answered = options.inFlight.enter()
    try {
      await next()
    } finally {
      answered()
    }
    setSecurityHeaders(c.res.headers)
    c.res.headers.set('x-request-id', c.get('requestId'))
    note(c, performance.now() - started)
  })

  function note(c: AppContext, ms: number): void {
    const { status } = c.res
    const path = c.get('route') ?? 'other'
    metrics.countRequest({ method: c.req.method, path }, status, ms)
    const level = status >= 500 ? 'error' : 'debug'
    const requestId = c.get('requestId')
    // The pattern and not the path: no id, no query, no ticket and no code is ever in it.
    options.logger[level](
      { requestId, method: c.req.method, route: path, status, ms: Math.round(ms) },
      'request',
    )
  }

  app.onError((error, c) => {
    const refusal = toApiError(error)
    const requestId = c.get('requestId')
    if (refusal.code === 'internal')
      options.logger.error({ err: error, requestId, route: c.get('route') }, 'a request failed')
    metrics.countRefusal(refusal.code)
    const response = Response.json(toProblem(refusal), { status: refusal.status })
    if (refusal.retryAfterMs !== undefined)
      response.headers.set('retry-after', String(Math.ceil(refusal.retryAfterMs / 1000)))
    return response
  })

  app.use(async (c, next) => {
    const { method } = c.req
    const host = c.req.header('host')
    const origin = origins.originOf(host)
    // A name that is not ours points here all the same: somebody's page wants to pass for us.
    if (origin === undefined) throw new ApiError('forbidden', 'This server is not known under this name.')
    c.set('origin', origin)
    // Not even a look: another port of this host is the same site to a browser, and the cookie comes along.
    if (isForeign(c) && /^\/(api|metrics)(\/|$)/.test(c.req.path)) throw notOurPage()
    if (method !== 'GET' && method !== 'HEAD') {
      const shown = { host, origin: c.req.header('origin'), site: c.req.header('sec-fetch-site') }
      const isProgram = shown.origin === undefined && c.req.header('authorization') !== undefined
      if (!isProgram && !origins.isOwnPage(shown)) throw notOurPage()
      if (options.isStopping())
        throw new ApiError('unavailable', 'The server is about to stop.', { retryAfterMs: 2_000 })
    }
    await next()
  })

  for (const route of ROUTES)
    app.on(route.method, route.path, async (c) => {
      c.set('route', route.path)
      return serve(c, route)
    })

  async function serve(c: AppContext, route: Route): Promise<Response> {
    const caller = route.isOpen ? NOBODY : requireCaller(c)
    if (route.isForOwner && !caller.isOwner) throw notYours()
    if (route.cost === 'message') refuseWhen(messages.take(caller.userId, costOf(c)))
    if (isStream(route)) {
      if (c.req.raw.method === 'HEAD') throw notFound() // nobody would read it to its end
      refuseWhen(openings.take(caller.userId))
    }
    const call = {
      params: checkInput(route.params, c.req.param()),
      query: checkInput(route.query, c.req.query()),
      body: await bodyOf(c, route),
      caller,
      // Only when somebody asks for them: a route that is open to strangers has nobody's.
      get threads() {
        return assistant.threadsOf(caller.userId)
      },
      assistant,
      origin: c.get('origin'),
      headers: c.req.raw.headers,
      breakOff(error: unknown) {
        const requestId = c.get('requestId')
        options.logger.error({ err: error, requestId, route: route.path }, 'an answer broke off')
        c.env.outgoing.destroy()
      },
      services,
    }
    const answer = await route.handle(call)
    if (answer instanceof Response) return answer
    if (route.answer === NOTHING) return empty(c, route)
    if (options.checkAnswers && route.answer instanceof z.ZodType) route.answer.parse(answer)
    return toJson(answer, route.status ?? 200, c.req.header('accept-encoding'))
  }

  function empty(c: AppContext, route: Route): Response {
    const response = new Response(null, { status: 204 })
    if (route.path === '/api/logout')
      response.headers.append('set-cookie', toEmptyCookie(services.port(), isSecure(c)))
    return response
  }

  const document = JSON.stringify(toOpenApi(ROUTES, services.version))
  app.get('/api/openapi.json', (c) => {
    c.set('route', '/api/openapi.json')
    requireCaller(c)
    return toJsonText(document, 200, c.req.header('accept-encoding'))
  })

  app.get('/metrics', async (c) => {
    c.set('route', '/metrics')
    if (!requireCaller(c).isOwner) throw notYours()
    const { text, contentType } = await metrics.read()
    return new Response(text, { headers: { 'content-type': contentType } })
  })

  app.get('/login', (c) => {
    c.set('route', '/login')
    limitStranger(c)
    const ticket = c.req.query('ticket') ?? ''
    // Whoever only looks at a link, such as a mail program, does not use it up.
    if (isForeign(c) || c.req.raw.method === 'HEAD') return toLoginPage(ticket)
    const secret = auth.redeemTicket(ticket)
    // Whoever clicks an old link and is logged in already simply goes on.
    const isIn = secret !== undefined || identify(c) !== undefined
    const response = c.redirect(isIn ? '/' : '/?login=expired', 303)
    if (secret !== undefined)
      response.headers.append('set-cookie', toLoginCookie(services.port(), secret, isSecure(c)))
    return response
  })

  for (const path of [CALLBACK_PATH, RETURN_PATH])
    app.get(path, (c) => {
      c.set('route', path)
      const caller = identify(c)
      if (!caller) limitStranger(c)
      const onRefusal = (): void => {
        metrics.countRefusal('sign_in')
        const [requestId, userId] = [c.get('requestId'), caller?.userId]
        options.logger.warn({ requestId, userId, route: path }, 'a sign-in was refused')
      }
      const { integrations } = assistant
      return finishSignIn(new URL(c.req.url), { caller, origin: c.get('origin'), integrations, onRefusal })
    })

  for (const [path, [mediaType, text]] of Object.entries(PAGE_PARTS))
    app.get(path, (c) => {
      c.set('route', path)
      return c.body(text, 200, { 'content-type': mediaType })
    })

  app.all('/api/*', (c) => {
    requireCaller(c)
    throw notFound()
  })

  app.get('*', async (c) => {
    c.set('route', 'static')
    const response = await files?.serve(c.req.path, c.req.raw)
    if (!response) throw notFound()
    return response
  })

  app.notFound(() => {
    throw notFound()
  })

  return app
}

/** Ten megabytes keep us busy for longer than ten words. */
function costOf(c: AppContext): number {
  const bytes = Number(c.req.header('content-length') ?? MEGABYTE)
  return 1 + Math.floor(bytes / MEGABYTE)
}

const MEGABYTE = 1024 * 1024
const NOBODY: Caller = { userId: '', isOwner: false, browserId: '' }

/** A page of somebody else caused it. Browsers say so, and no page can keep them from it. */
const isForeign = (c: AppContext): boolean =>
  ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')
const notOurPage = (): ApiError =>
  new ApiError('forbidden', 'This request does not come from a page of this server.')

const isSecure = (c: AppContext): boolean => c.get('origin').startsWith('https:')
const isStream = ({ answer }: Route): boolean =>
  answer !== NOTHING && 'mediaType' in answer && answer.mediaType === 'text/event-stream'

function refuseWhen(retryAfterMs: number): void {
  if (retryAfterMs > 0)
    throw new ApiError('rate_limited', 'That was too much at once. Try again in a moment.', { retryAfterMs })
}

async function bodyOf(c: AppContext, { method, body, maxBodyBytes }: Route): Promise<unknown> {
  if (method === 'GET') return undefined
  const sent = await readBody(c.req.raw, maxBodyBytes)
  return body ? checkInput(body, sent) : undefined
}
