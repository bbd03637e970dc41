import type { SpanContext } from '@opentelemetry/api'
import { isSpanContextValid } from '@opentelemetry/api'

/** A span as the W3C header `traceparent`. */
export const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** Reads a `traceparent` of others. Undefined for one that is not valid. */
export function parseTraceparent(header: string | null | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.{0,200})?$/.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined || version === 'ff')
    return undefined
  if (version === '00' && more !== undefined) return undefined
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}
