/** How long a `Retry-After` header asks us to wait. Seconds or a date; undefined when it says neither. Pure. */
export function toRetryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
