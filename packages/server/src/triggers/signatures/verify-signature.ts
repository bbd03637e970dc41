import { createHmac } from 'node:crypto'
import type { WebhookKind } from '@capstan/protocol'
import { isSameText } from './same-text.ts'
import { readFields } from './webhook-request.ts'
import type { WebhookRequest } from './webhook-request.ts'

/** How old, or how far ahead, a signed time may be. */
const WINDOW_MS = 5 * 60_000
const LINEAR_WINDOW_MS = 60_000
/** While a secret is replaced, a request may carry several signatures. */
const MAX_SIGNATURES = 5

type Verify = (request: WebhookRequest, secret: string, now: number) => boolean

/** Whether the holder of the secret sent these bytes, recently where the scheme has a time. Pure; never throws. */
export function verifySignature(
  kind: WebhookKind,
  request: WebhookRequest,
  secret: string,
  now: number,
): boolean {
  return secret !== '' && SCHEMES[kind](request, secret, now)
}

const SCHEMES: Readonly<Record<WebhookKind, Verify>> = {
  generic({ header, body }, secret, now) {
    const time = header('x-capstan-timestamp') ?? ''
    const expected = `sha256=${sign(secret, `${time}.`, body)}`
    return isSameText(header('x-capstan-signature') ?? '', expected) && isRecent(seconds(time), now)
  },
  github({ header, body }, secret) {
    return isSameText(header('x-hub-signature-256') ?? '', `sha256=${sign(secret, '', body)}`)
  },
  stripe({ header, body }, secret, now) {
    const pairs = (header('stripe-signature') ?? '').split(',').map((pair) => pair.trim().split('='))
    const time = pairs.find(([name]) => name === 't')?.[1] ?? ''
    const expected = sign(secret, `${time}.`, body)
    const given = pairs.filter(([name]) => name === 'v1').slice(0, MAX_SIGNATURES)
    return given.some(([, value = '']) => isSameText(value, expected)) && isRecent(seconds(time), now)
  },
  slack({ header, body }, secret, now) {
    const time = header('x-slack-request-timestamp') ?? ''
    const expected = `v0=${sign(secret, `v0:${time}:`, body)}`
    return isSameText(header('x-slack-signature') ?? '', expected) && isRecent(seconds(time), now)
  },
  linear(request, secret, now) {
    const expected = sign(secret, '', request.body)
    if (!isSameText(request.header('linear-signature') ?? '', expected)) return false
    return isRecent(Number(readFields(request)['webhookTimestamp'] ?? Number.NaN), now, LINEAR_WINDOW_MS)
  },
  composio({ header, body }, secret, now) {
    const time = header('webhook-timestamp') ?? ''
    const expected = `v1,${sign(secret, `${header('webhook-id') ?? ''}.${time}.`, body, 'base64')}`
    const given = (header('webhook-signature') ?? '').split(' ').slice(0, MAX_SIGNATURES)
    return given.some((value) => isSameText(value, expected)) && isRecent(seconds(time), now)
  },
}

const sign = (secret: string, before: string, body: Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(before).update(body).digest(encoding)

const seconds = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) * 1000 : Number.NaN)

const isRecent = (at: number, now: number, windowMs = WINDOW_MS): boolean => Math.abs(now - at) <= windowMs
