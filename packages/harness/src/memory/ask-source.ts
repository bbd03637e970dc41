import type { Clock } from '../turn/clock.ts'

/** How an app is asked. */
export interface AskOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Asks once. Rejects at once when the signal is aborted, and when there is no answer in time, whatever the app does. */
export async function askSource<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  { clock, signal: given, timeoutMs }: AskOptions,
): Promise<Answer> {
  given.throwIfAborted()
  const late = new AbortController()
  const signal = AbortSignal.any([given, late.signal])
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  const disarm = clock.after(timeoutMs, () =>
    late.abort(new DOMException('the app did not answer in time', 'TimeoutError')),
  )
  try {
    return await Promise.race([ask(signal), stopped.promise])
  } finally {
    disarm()
    signal.removeEventListener('abort', stop)
  }
}
