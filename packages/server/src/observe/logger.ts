import { scrubSecrets } from '@capstan/harness'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

/** Names under which a secret might come along, whatever we meant to log. */
const HIDDEN = ['authorization', 'cookie', 'token', 'ticket', 'key', 'secret', 'password', 'code', 'state']

/** Structured lines, one per thing that happened. Addresses are logged without their query, errors without secrets. */
export function createLogger(
  options: { readonly level?: string; readonly to?: DestinationStream } = {},
): Logger {
  const { level = 'info', to } = options
  const settings = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    serializers: { err: toPlainError },
  }
  return to ? pino(settings, to) : pino(settings)
}

export const SILENT: Logger = pino({ level: 'silent' })

function toPlainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' }
  return { type: error.name, message: scrubSecrets(error.message), stack: scrubSecrets(error.stack ?? '') }
}
