import { cutToBytes, sizeNote } from '../text/cut-text.ts'
import { sanitizeLine, sanitizeText } from '../text/untrusted-text.ts'

/** Where something happened that nobody asked about. `app` names the app, `id` the source within it. */
export interface EnvelopeSource {
  readonly kind: 'webhook' | 'sync' | 'resource' | 'app-trigger'
  readonly id: string
  readonly app: string
}

/** Something that happened while nobody was looking. All of its text was written by others. Plain JSON. */
export interface Envelope {
  readonly source: EnvelopeSource
  /** The sender's id of this occurrence. The same id from the same source is the same occurrence. */
  readonly externalId: string
  /** One line for a person. */
  readonly label: string
  /** At most 8 KiB. A longer payload is cut and says so. */
  readonly payload: string
  readonly receivedAt: number
  readonly origin: 'trigger'
}

export const MAX_PAYLOAD_BYTES = 8 * 1024
const MAX_LABEL_CHARS = 200
const MAX_ID_CHARS = 200
/** Room for the note that says how much was cut. */
const NOTE_BYTES = 100

/** Cleans what a sender wrote and cuts it to its limits. Pure. */
export function createEnvelope(given: Omit<Envelope, 'origin'>): Envelope {
  return {
    source: given.source,
    externalId: sanitizeLine(given.externalId, MAX_ID_CHARS),
    label: sanitizeLine(given.label, MAX_LABEL_CHARS),
    payload: cutPayload(given.payload),
    receivedAt: given.receivedAt,
    origin: 'trigger',
  }
}

function cutPayload(payload: string): string {
  const clean = sanitizeText(payload, MAX_PAYLOAD_BYTES)
  if (payload.length <= MAX_PAYLOAD_BYTES && Buffer.byteLength(clean) <= MAX_PAYLOAD_BYTES) return clean
  const shown = cutToBytes(clean, MAX_PAYLOAD_BYTES - NOTE_BYTES)
  return `${shown}\n[${sizeNote(Buffer.byteLength(payload), shown)}]`
}
