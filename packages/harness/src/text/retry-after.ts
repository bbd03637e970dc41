/**
 * The time a response asks the client to wait: `retry-after-ms`, or `retry-after` in seconds or as a date. A date is
 * compared with the `date` header when there is one, else with `nowMs`. Undefined without a readable header. Pure.
 */
export function readRetryAfter(
  header: (name: string) => string | null | undefined,
  nowMs: number,
): number | undefined {
  const ms = header('retry-after-ms')
  if (ms && Number(ms) >= 0) return Number(ms)
  const after = header('retry-after')
  if (!after) return undefined
  if (Number(after) >= 0) return Number(after) * 1000
  const at = Date.parse(after)
  const now = Date.parse(header('date') ?? '') || nowMs
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
