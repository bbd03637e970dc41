import type { JsonObject } from '@capstan/harness/seams'

/** A request as it came in. The bytes of the body are signed, so they are kept as they are. */
export interface WebhookRequest {
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** The body as an object; a form becomes its fields, and anything else an empty object. Pure; never throws. */
export function readFields({ body, header }: WebhookRequest): JsonObject {
  const text = Buffer.from(body).toString()
  try {
    if (/^application\/x-www-form-urlencoded/i.test(header('content-type') ?? ''))
      return Object.fromEntries(new URLSearchParams(text))
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}
