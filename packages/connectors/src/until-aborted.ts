/** Settles as the work does, or rejects with the reason of the abort if that comes first. The work is not cancelled. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason as Error)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop))
}
