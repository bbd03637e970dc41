import type { ToolMedia, ToolOutcome } from '@capstan/harness'
import { cutText, sanitizeLine } from '@capstan/harness/connectors'
import type { ConnectionRow } from '@capstan/protocol'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import { CannotStart, findCause } from '../errors.ts'
import { toFailedOutcome } from './to-failed-outcome.ts'

/** Errors and outcomes of a server, without the secrets of the connection. */
export interface SafeErrors {
  /** One line for a person. */
  toReason(error: unknown, connection: ConnectionRow): string
  /** An error for a caller that learns of the failure by a rejection, with the facts that are known. */
  toRejection(error: unknown, connection: ConnectionRow): Error
  redactOutcome(outcome: ToolOutcome, connection: ConnectionRow): ToolOutcome
}

const REASON_CHARS = 600
const SCANNED_CHARS = 4_000

export function createSafeErrors(secrets: Pick<SecretCache, 'redact'>): SafeErrors {
  const redact = (text: string, { id, toolkit }: ConnectionRow) => secrets.redact(text, id, toolkit)
  const toReason = (error: unknown, connection: ConnectionRow) =>
    // Redacted before it is cut: half of a secret would not be found.
    cutText(redact(sanitizeLine(toFailedOutcome(error).text, SCANNED_CHARS), connection), REASON_CHARS)
  return {
    toReason,
    toRejection(error, connection) {
      const { httpStatus, retryAfterMs, errorCode } = toFailedOutcome(error)
      return Object.assign(new Error(`${connection.toolkit}: ${toReason(error, connection)}`), {
        ...(httpStatus === undefined ? undefined : { status: httpStatus }),
        ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
        ...(errorCode === undefined ? undefined : { code: errorCode }),
        ...(findCause(error, CannotStart) ? { cannotStart: toReason(error, connection) } : undefined),
      })
    },
    redactOutcome: (outcome, connection) => ({
      ...outcome,
      text: redact(outcome.text, connection),
      ...(outcome.media && {
        media: outcome.media.map((part) => redactMedia(part, (text) => redact(text, connection))),
      }),
    }),
  }
}

/** A file of text is redacted as text is. */
function redactMedia(media: ToolMedia, redact: (text: string) => string): ToolMedia {
  if (!/^text\/|[/+](?:json|xml|yaml|csv)$/.test(media.mediaType)) return media
  const { bytes, data, ...about } = media
  const text = (bytes ? Buffer.from(bytes) : Buffer.from(data, 'base64')).toString()
  const redacted = redact(text)
  return redacted === text ? media : { ...about, bytes: new Uint8Array(Buffer.from(redacted)) }
}
