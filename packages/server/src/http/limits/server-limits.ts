import type { Rate } from './rate-limit.ts'

/** What one client may use. */
export interface ServerLimits {
  /** Requests of one user. */
  readonly requests: Rate
  /** Messages of one user. */
  readonly messages: Rate
  /** Requests from one address without a login. */
  readonly strangers: Rate
  /** New sockets and streams of one user. */
  readonly openings: Rate
  /** Open sockets and streams of one user. */
  readonly streamsPerUser: number
  readonly threadsPerSocket: number
  /** Events from one socket. */
  readonly socketEvents: Rate
}

/** The default limits. */
export const LIMITS: ServerLimits = {
  requests: { burst: 300, perSecond: 100 },
  messages: { burst: 30, perSecond: 5 },
  strangers: { burst: 60, perSecond: 10 },
  openings: { burst: 100, perSecond: 10 },
  streamsPerUser: 50,
  threadsPerSocket: 20,
  socketEvents: { burst: 60, perSecond: 20 },
}
