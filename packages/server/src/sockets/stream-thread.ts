import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Caller } from '../auth/auth.ts'
import { ApiError } from '../http/api-error.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { OpenFeed, ThreadFeeds } from './thread-feeds.ts'
import type { Visitors } from './visitors.ts'

const HEARTBEAT_MS = 15_000
const MAX_BUFFERED_BYTES = 512 * 1024

/** A thread as server-sent events, with the sequence number as `id`. Uses the same feed as the socket. */
export function streamThread(options: {
  readonly feeds: ThreadFeeds
  readonly visitors: Visitors
  readonly metrics: Metrics
  readonly caller: Caller
  readonly threadId: ThreadId
  readonly after: number
  readonly heartbeatMs?: number
}): Response {
  const { feeds, visitors, metrics, caller, threadId, after, heartbeatMs = HEARTBEAT_MS } = options
  let end = (): void => {}
  const left = visitors.admit({ caller, leave: () => end() })
  if (!left) throw new ApiError('rate_limited', 'Too many pages are open.', { retryAfterMs: 10_000 })
  let feed: OpenFeed | undefined
  let heartbeat: NodeJS.Timeout | undefined

  const over = (): void => {
    clearInterval(heartbeat)
    feed?.close()
    left()
    metrics.streams.dec()
    end = () => {}
  }
  metrics.streams.inc()

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => controller.enqueue(Buffer.from(text))
        const isFull = (): boolean => (controller.desiredSize ?? 0) <= 0
        end = () => {
          over()
          controller.close()
        }
        write('retry: 1000\n\n')
        feed = feeds.open({
          threadId,
          after,
          outlet: {
            isFull,
            send(events, isLive) {
              metrics.countSent(events, isLive)
              write(events.map(toLines).join(''))
            },
          },
          onGone: () => end(),
        })
        heartbeat = setInterval(() => {
          if (!isFull()) write(': still here\n\n')
        }, heartbeatMs)
      },
      pull: () => feed?.resume(),
      cancel: over,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  })
}

const toLines = (event: TurnEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
