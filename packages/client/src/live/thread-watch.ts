import type { EventPage, TurnEvent } from '@capstan/protocol'
import { ApiError } from '../http/api-error.ts'
import type { ReportProblem } from './guard-listener.ts'
import { guardListener } from './guard-listener.ts'
import { createOrderedEvents } from './ordered-events.ts'
import { createBackoff, pause } from './pause.ts'

/**
 * How the watch of a thread stands. `connecting`: for the first time. `offline`: the connection was lost and is being
 * restored. `unknown`: there is no such thread, or it belongs to somebody else; nothing more comes. `signed-out`:
 * nothing comes until somebody signs in.
 */
export type WatchState = 'connecting' | 'live' | 'offline' | 'unknown' | 'signed-out'

/** What a watcher of a thread gives. A listener that throws is reported to `onProblem` of the client; the watch goes on. */
export interface WatchOptions {
  /** Events up to this number are known. Default: none. */
  readonly after?: number
  /** Gets every event after it once, in order, without a gap. */
  readonly onEvent: (event: TurnEvent) => void
  readonly onState?: (state: WatchState) => void
}

/** How a watch reaches the server without a socket. */
export interface WatchAccess {
  readonly readEvents: (threadId: string, after: number, signal: AbortSignal) => Promise<EventPage>
  readonly streamEvents: (
    threadId: string,
    after: number,
    signal: AbortSignal,
  ) => Promise<AsyncIterable<TurnEvent>>
  readonly onProblem: ReportProblem
  readonly retryMs: number
  readonly maxRetryMs: number
}

/** One watcher of one thread: fed by a socket, or by a stream of its own. */
export interface ThreadWatch {
  readonly threadId: string
  /** The number of the newest event that was passed on. */
  seen(): number
  accept(events: readonly TurnEvent[]): void
  setState(state: WatchState): void
  /** Follows the thread by server-sent events, reconnecting until `stopStream`. */
  startStream(): void
  stopStream(): void
  isStreaming(): boolean
  end(): void
}

export function createThreadWatch(threadId: string, options: WatchOptions, access: WatchAccess): ThreadWatch {
  const { after = 0 } = options
  const { readEvents, streamEvents, onProblem, retryMs, maxRetryMs } = access
  const onEvent = guardListener(options.onEvent, onProblem)
  const onState = guardListener((next: WatchState) => options.onState?.(next), onProblem)
  const ordered = createOrderedEvents({ threadId, after, onEvent, readEvents, retryMs, maxRetryMs })
  let state: WatchState = 'connecting'
  let streaming: AbortController | undefined
  let isEnded = false

  function setState(next: WatchState): void {
    if (state === next || state === 'unknown' || isEnded) return
    state = next
    onState(next)
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const backoff = createBackoff(retryMs, maxRetryMs)
    while (!signal.aborted) {
      let waitMs = 0
      try {
        const events = await streamEvents(threadId, ordered.seen(), signal)
        setState('live')
        for await (const event of events) {
          backoff.reset()
          ordered.accept([event])
        }
      } catch (error) {
        if (signal.aborted) return
        const final = finalStateOf(error)
        if (final) return setState(final)
        waitMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      }
      if (signal.aborted) return
      setState('offline')
      await pause(Math.max(waitMs, backoff.nextMs()), signal)
    }
  }

  function stopStream(): void {
    streaming?.abort()
    streaming = undefined
  }

  return {
    threadId,
    seen: ordered.seen,
    accept: ordered.accept,
    setState,
    startStream() {
      if (streaming || isEnded || state === 'unknown') return
      const own = new AbortController()
      streaming = own
      void follow(own.signal).finally(() => {
        if (streaming === own) streaming = undefined
      })
    },
    stopStream,
    isStreaming: () => streaming !== undefined,
    end() {
      isEnded = true
      stopStream()
      ordered.end()
    },
  }
}

/** The state after an error that trying again does not change. */
function finalStateOf(error: unknown): WatchState | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'not_found' || error.code === 'invalid') return 'unknown'
  return error.code === 'signed_out' ? 'signed-out' : undefined
}
