import type { JsonObject } from '@capstan/harness/seams'

/** A request as it came in. The bytes of the body are signed, so they are kept as they are. */
export interface WebhookRequest {
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/**
 * The body as an object; a form becomes its fields, and anything else an empty object. The content type is not signed: it
 * never makes another object of what is JSON. Pure; never throws.
 */
export function readFields({ body, header }: WebhookRequest): JsonObject {
  const text = Buffer.from(body).toString()
  const value = readJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  const isForm = /^application\/x-www-form-urlencoded/i.test(header('content-type') ?? '')
  return value === undefined && isForm ? Object.fromEntries(new URLSearchParams(text)) : {}
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
