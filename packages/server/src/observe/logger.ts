import { scrubSecrets } from '@capstan/harness/stages'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

/** Field names that may hold a secret. */
const HIDDEN = ['authorization', 'cookie', 'token', 'ticket', 'key', 'secret', 'password', 'code', 'state']

/** A logger of structured lines. Redacts fields that may hold a secret and scrubs errors. */
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

/** Logs nothing. */
export const SILENT: Logger = pino({ level: 'silent' })

function toPlainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'a value that is not an error was thrown' }
  return { type: error.name, message: scrubSecrets(error.message), stack: scrubSecrets(error.stack ?? '') }
}
