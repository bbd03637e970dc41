import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@capstan/harness/seams'
import type { WebhookKind } from '@capstan/protocol'
import { readFields } from './webhook-request.ts'
import type { WebhookRequest } from './webhook-request.ts'

/** What a verified request is about. */
export interface Occurrence {
  /** The same for each delivery of the same event. */
  readonly externalId: string
  /** One line, still as the sender wrote it. */
  readonly label: string
}

type Read = (fields: JsonObject, request: WebhookRequest) => { id?: string; label: readonly string[] }

/** The id and a line for a person. Without an id of the sender, the signed bytes are the id. Pure; never throws. */
export function readOccurrence(kind: WebhookKind, request: WebhookRequest): Occurrence {
  const { id, label } = SHAPES[kind](readFields(request), request)
  const line = label.filter((part) => part !== '').join(' ')
  return { externalId: id || digestOf(kind, request), label: line || `A call from ${kind}` }
}

const SHAPES: Readonly<Record<WebhookKind, Read>> = {
  generic: (fields) => ({
    id: textAt(fields, 'id'),
    label: [textAt(fields, 'title') || textAt(fields, 'type') || textAt(fields, 'event')],
  }),
  github: (fields, { header }) => ({
    // The header with its id is not signed, so the signed bytes are the id: a repeat under another id is noticed.
    label: [
      header('x-github-event') ?? '',
      textAt(fields, 'action'),
      prefixed('in', textAt(fields, 'repository', 'full_name')),
      prefixed('by', textAt(fields, 'sender', 'login')),
      textAt(fields, 'issue', 'title') || textAt(fields, 'pull_request', 'title'),
    ],
  }),
  stripe: (fields) => ({ id: textAt(fields, 'id'), label: [textAt(fields, 'type')] }),
  slack: (fields) => ({
    id: textAt(fields, 'event_id') || textAt(fields, 'trigger_id'),
    label: [
      textAt(fields, 'event', 'type') || textAt(fields, 'command') || textAt(fields, 'type'),
      prefixed('in', textAt(fields, 'event', 'channel') || textAt(fields, 'channel_name')),
      textAt(fields, 'event', 'text') || textAt(fields, 'text'),
    ],
  }),
  linear: (fields) => ({
    // The header with its id is not signed. What is sent again has another time, and is the same otherwise.
    id: digestOfFields({ ...fields, webhookTimestamp: null }),
    label: [textAt(fields, 'type'), textAt(fields, 'action'), textAt(fields, 'data', 'title')],
  }),
  composio: (fields, { header }) => ({
    id: header('webhook-id') ?? '',
    label: [textAt(fields, 'metadata', 'trigger_slug') || textAt(fields, 'type')],
  }),
}

/** Slack asks once whether the address is ours: the text to answer with. */
export function readChallenge(kind: WebhookKind, request: WebhookRequest): string | undefined {
  if (kind !== 'slack') return undefined
  const fields = readFields(request)
  return fields['type'] === 'url_verification' ? textAt(fields, 'challenge') || undefined : undefined
}

/** A generic sender signs its time, too: the same body sent again later is another event. */
const digestOf = (kind: WebhookKind, { header, body }: WebhookRequest): string =>
  createHash('sha256')
    .update(kind === 'generic' ? `${header('x-capstan-timestamp') ?? ''}.` : '')
    .update(body)
    .digest('hex')

const digestOfFields = (fields: JsonObject): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex')

function textAt(fields: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = fields
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
    value = Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined
  }
  return typeof value === 'string' ? value : ''
}

const prefixed = (word: string, text: string): string => (text === '' ? '' : `${word} ${text}`)
