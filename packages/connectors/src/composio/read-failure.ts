import { readRetryAfter, sanitizeLine } from '@capstan/harness/connectors'
import { hideSecrets } from '../hide-secrets.ts'
import type { RequestFailure } from './to-outcome.ts'

const MAX_MESSAGE_CHARS = 1_000

/** The facts in an error of Composio's client, without the secrets. Never throws. */
export function readFailure(error: unknown, secrets: readonly string[]): RequestFailure {
  const body = field(field(error, 'error'), 'error') ?? field(error, 'error')
  const status = field(error, 'status')
  const number = field(body, 'code')
  const slug = field(body, 'slug')
  const said = field(body, 'message')
  const headers = field(error, 'headers')
  return {
    status: typeof status === 'number' ? status : undefined,
    timedOut: field(field(error, 'constructor'), 'name') === 'APIConnectionTimeoutError',
    code: codeOf(error),
    retryAfterMs:
      headers instanceof Headers ? readRetryAfter((name) => headers.get(name), Date.now()) : undefined,
    errorNumber: typeof number === 'number' ? number : undefined,
    errorSlug: typeof slug === 'string' ? slug : undefined,
    // An HTML error page is not shown.
    message:
      typeof said === 'string' ? sanitizeLine(hideSecrets(said, secrets), MAX_MESSAGE_CHARS) : undefined,
  }
}

function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 5; at = field(at, 'cause'), depth++) {
    const code = field(at, 'code')
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code
  }
  return undefined
}

function field(from: unknown, key: string): unknown {
  if (from === null || (typeof from !== 'object' && typeof from !== 'function')) return undefined
  try {
    return (from as Readonly<Record<string, unknown>>)[key]
  } catch {
    return undefined
  }
}
