import type { HttpBindings } from '@hono/node-server'
import type { RunId } from '@capstan/protocol'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { SeeRequest } from '../auth/client-address.ts'
import type { OwnOrigins } from '../auth/own-origin.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { Assistant } from '../sessions/assistant.ts'
import type { InFlight } from './limits/in-flight.ts'
import type { ServerLimits } from './limits/server-limits.ts'
import type { Services } from './route.ts'
import type { StaticFiles } from './static/static-files.ts'

/** Everything the HTTP app is made from. */
export interface AppOptions {
  readonly assistant: Assistant
  readonly services: Services
  readonly origins: OwnOrigins
  readonly seeRequest: SeeRequest
  readonly limits: ServerLimits
  readonly metrics: Metrics
  readonly logger: Logger
  readonly files?: StaticFiles
  readonly inFlight: InFlight
  /** True while the server stops: it accepts no new commands. */
  readonly isStopping: () => boolean
  /** For tests: throws when an answer does not match its schema. */
  readonly checkAnswers?: boolean
}

/** What Hono carries with a request. */
export interface AppEnv {
  readonly Bindings: HttpBindings
  readonly Variables: {
    readonly origin: string
    /** The client's address; behind a trusted proxy, not that of the proxy. */
    readonly address: string
    /** The path pattern of the matched route. Logs and metrics use it instead of the path, which may hold ids. */
    readonly route: string
    readonly requestId: string
    /** The turn that the request has started. */
    readonly runId: RunId
  }
}

export type AppContext = Context<AppEnv>

/** Whether the browser sees this server under https. */
export const isSecure = (c: AppContext): boolean => c.get('origin').startsWith('https:')

/** Whether a page of another site caused the request. Browsers set the header, and no page can change it. */
export const isFromOtherSite = (c: AppContext): boolean =>
  ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '')
