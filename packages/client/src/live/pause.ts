/** A longer timer ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Resolves after a while, or as soon as the signal aborts. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS))
    signal.addEventListener('abort', done)
  })
}

/** Pauses that grow from attempt to attempt. */
export interface Backoff {
  /** How long to wait before the next attempt. */
  nextMs(): number
  reset(): void
}

/** Doubles from `firstMs` to `maxMs`. A random part keeps many clients from coming back at the same moment. */
export function createBackoff(firstMs: number, maxMs: number): Backoff {
  let attempts = 0
  return {
    nextMs() {
      const full = Math.min(maxMs, firstMs * 2 ** attempts++)
      return full * (0.75 + Math.random() / 4)
    },
    reset() {
      attempts = 0
    },
  }
}
