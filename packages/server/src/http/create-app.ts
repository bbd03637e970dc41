import { Hono } from 'hono'
import { notFound } from './api-error.ts'
import type { AppEnv, AppOptions } from './app-context.ts'
import { createCallers } from './callers.ts'
import { answerErrors } from './middleware/answer-errors.ts'
import { checkOrigin } from './middleware/check-origin.ts'
import { observeRequests } from './middleware/observe-requests.ts'
import { toOpenApi } from './openapi/to-openapi.ts'
import { askToLogIn, logIn } from './pages/login.ts'
import { addHooks } from './pages/hooks.ts'
import { addSignInPages } from './pages/sign-in.ts'
import { toJsonText } from './payload/to-json.ts'
import { checkRights } from './rights.ts'
import { ROUTES } from './routes/routes.ts'
import { createRouteServer } from './serve-route.ts'

/** Everything over HTTP: the list of routes, the login, the sign-in pages, the metrics and the web app. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { services, metrics, files } = options
  const callers = createCallers(options)
  const serve = createRouteServer(options, callers)
  const app = new Hono<AppEnv>()

  app.use(observeRequests(options))
  app.onError(answerErrors(options))
  app.use(checkOrigin(options))

  for (const route of ROUTES)
    app.on(route.method, route.path, async (c) => {
      c.set('route', route.path)
      return serve(c, route)
    })

  const document = JSON.stringify(toOpenApi(ROUTES, services.version))
  app.get('/api/openapi.json', async (c) => {
    c.set('route', '/api/openapi.json')
    await callers.require(c)
    return toJsonText(document, 200, c.req.header('accept-encoding'))
  })
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics')
    checkRights('owner', await callers.require(c))
    const { text, contentType } = await metrics.read()
    return new Response(text, { headers: { 'content-type': contentType } })
  })
  app.get('/login', (c) => {
    c.set('route', '/login')
    return askToLogIn(c, services, callers)
  })
  app.post('/login', (c) => {
    c.set('route', '/login')
    return logIn(c, options, callers)
  })
  addSignInPages(app, options, callers)
  addHooks(app, options, callers)

  app.all('/api/*', async (c) => {
    await callers.require(c)
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
