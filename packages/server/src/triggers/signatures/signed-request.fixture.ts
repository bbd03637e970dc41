import { createHmac } from 'node:crypto'
import type { WebhookKind } from '@capstan/protocol'
import type { WebhookRequest } from './webhook-request.ts'

export const SECRET = 'a-secret-of-some-length'

export const signText = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

const signBase64 = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64')

export const requestOf = (body: string, headers: Readonly<Record<string, string>>): WebhookRequest => ({
  header: (name) => headers[name.toLowerCase()],
  body: Buffer.from(body),
})

/** The headers of a service for this body, as it documents them. */
export function headersOf(
  kind: WebhookKind,
  body: string,
  { at, secret, delivery = 'delivery-1' }: { at: number; secret: string; delivery?: string },
): Record<string, string> {
  const time = String(Math.floor(at / 1000))
  const timed = signText(`${time}.${body}`, secret)
  const plain = signText(body, secret)
  const headers: Record<WebhookKind, Record<string, string>> = {
    generic: { 'x-capstan-timestamp': time, 'x-capstan-signature': `sha256=${timed}` },
    github: { 'x-hub-signature-256': `sha256=${plain}`, 'x-github-delivery': delivery },
    stripe: { 'stripe-signature': `t=${time},v1=${timed},v0=old` },
    slack: {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signText(`v0:${time}:${body}`, secret)}`,
    },
    composio: {
      'webhook-id': delivery,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signBase64(`${delivery}.${time}.${body}`, secret)}`,
    },
    linear: { 'linear-signature': plain, 'linear-delivery': delivery },
  }
  return { 'content-type': 'application/json', ...headers[kind] }
}

/** The body with the time that Linear signs inside of it. */
export const toBody = (kind: WebhookKind, body: string, at: number): string =>
  kind === 'linear' ? JSON.stringify({ ...(JSON.parse(body) as object), webhookTimestamp: at }) : body

/** A request that is signed as its service documents it. */
export function signed(kind: WebhookKind, fields: string, at: number, secret = SECRET): WebhookRequest {
  const body = toBody(kind, fields, at)
  return requestOf(body, headersOf(kind, body, { at, secret }))
}
