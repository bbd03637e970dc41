import type { RunContext } from './run-context.ts'

/** How waiting for code of a program ended. A rejection is `failed`. */
export type Settled<Value> =
  | { readonly type: 'answered'; readonly value: Value }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'stopped' | 'late' }

/**
 * Waits for code of a program, which may never answer: at most until the run is stopped or the time has passed. Never
 * rejects; an answer that comes later is dropped.
 */
export function settleInTime<Value>(
  work: PromiseLike<Value>,
  { signal, clock }: Pick<RunContext, 'signal' | 'clock'>,
  timeoutMs: number,
): Promise<Settled<Value>> {
  return new Promise((resolve) => {
    const onAbort = () => settle({ type: 'stopped' })
    const disarm = timeoutMs === Infinity ? () => {} : clock.after(timeoutMs, () => settle({ type: 'late' }))
    function settle(settled: Settled<Value>): void {
      disarm()
      signal.removeEventListener('abort', onAbort)
      resolve(settled)
    }
    Promise.resolve(work).then(
      (value) => settle({ type: 'answered', value }),
      (error: unknown) => settle({ type: 'failed', error }),
    )
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Whether there is something to wait for. Throws where reading `then` throws. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
