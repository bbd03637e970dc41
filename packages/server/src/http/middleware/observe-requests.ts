import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { AppContext, AppEnv, AppOptions } from '../app-context.ts'
import { toTraceFields } from '../../observe/turn-log.ts'
import { setSecurityHeaders } from './security-headers.ts'

type Observers = Pick<AppOptions, 'inFlight' | 'metrics' | 'logger' | 'assistant'>

/** Gives each request an id, counts, times and logs it, and sets the headers that every answer has. */
export function observeRequests(observers: Observers): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    c.set('requestId', randomUUID())
    const answered = observers.inFlight.enter()
    try {
      await next()
    } finally {
      answered()
    }
    setSecurityHeaders(c.res.headers)
    c.res.headers.set('x-request-id', c.get('requestId'))
    note(c, performance.now() - started, observers)
  }
}

function note(c: AppContext, ms: number, { metrics, logger, assistant: { telemetry } }: Observers): void {
  const { status } = c.res
  const { method } = c.req
  const route = c.get('route') ?? 'other'
  metrics.countRequest({ method, path: route }, status, ms)
  const level = status >= 500 ? 'error' : 'debug'
  // The pattern and not the path: no id, query, ticket or code gets into the log.
  const [requestId, address] = [c.get('requestId'), c.get('address')]
  const runId = c.get('runId')
  const turn = runId && { runId, ...(telemetry && toTraceFields(runId)) }
  logger[level]({ requestId, address, method, route, status, ms: Math.round(ms), ...turn }, 'request')
  const traceparent = c.req.header('traceparent')
  if (runId) telemetry?.noteRequest({ method, route, status, ms, traceparent, runId })
}
