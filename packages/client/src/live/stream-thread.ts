import type { TurnEvent } from '@capstan/protocol'
import { ApiError } from '../http/api-error.ts'
import type { WatchOptions } from './thread-watch.ts'

/** Where to begin, and when to stop. */
export interface StreamOptions {
  /** Events up to this number are known. Default: none. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/**
 * A watch as an async iterator. It ends when the signal aborts, and throws an `ApiError` when the thread is unknown or
 * the login is over. Leaving the loop stops the watch.
 */
export async function* streamThread(
  watchThread: (options: WatchOptions) => () => void,
  { after = 0, signal }: StreamOptions & { readonly signal: AbortSignal },
): AsyncGenerator<TurnEvent, void> {
  let waiting: TurnEvent[] = []
  let problem: ApiError | undefined
  let wake = (): void => {}
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort)
  const stop = watchThread({
    after,
    onEvent(event) {
      waiting.push(event)
      wake()
    },
    onState(state) {
      if (state === 'unknown')
        problem = new ApiError({ code: 'not_found', message: 'There is no such thread.' })
      if (state === 'signed-out')
        problem = new ApiError({ code: 'signed_out', message: 'The login is over.' })
      wake()
    },
  })
  try {
    for (;;) {
      if (signal.aborted) return
      const events = waiting
      waiting = []
      yield* events
      if (waiting.length > 0) continue
      if (problem) throw problem
      if (!signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop()
  }
}
