import type { Rate } from './rate-limit.ts'

/** What one client may use. Any field may be given alone. */
export interface ServerLimits {
  /** Requests of one user. */
  readonly requests: Rate
  /** Messages of one user: each may cost money. */
  readonly messages: Rate
  /** Requests from one address that nobody is logged in for. */
  readonly strangers: Rate
  /** Sockets and streams that one user opens. */
  readonly openings: Rate
  /** Sockets and streams of one user at once. */
  readonly streamsPerUser: number
  readonly threadsPerSocket: number
  /** What one socket says. */
  readonly socketEvents: Rate
}

export const LIMITS: ServerLimits = {
  requests: { burst: 300, perSecond: 100 },
  messages: { burst: 30, perSecond: 5 },
  strangers: { burst: 60, perSecond: 10 },
  openings: { burst: 100, perSecond: 10 },
  streamsPerUser: 50,
  threadsPerSocket: 20,
  socketEvents: { burst: 60, perSecond: 20 },
}
