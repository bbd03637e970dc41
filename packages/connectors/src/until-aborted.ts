/** The work, or a rejection with the reason of the abort, whichever comes first. Work left behind does no harm. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason as Error)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, stopped.promise]).finally(() => signal.removeEventListener('abort', stop))
}
