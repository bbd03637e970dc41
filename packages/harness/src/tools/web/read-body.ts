import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { BrotliDecompress, Gunzip, Inflate } from 'node:zlib'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The body of an answer. */
export interface Body {
  readonly bytes: Buffer
  /** There was more. */
  readonly isCut: boolean
  /** How many packed bytes it took to get this far. */
  readonly packedBytes: number
}

const DECODERS: ReadonlyMap<string, () => Gunzip | Inflate | BrotliDecompress> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Reads at most `maxBytes` of the decompressed answer, and no more than that from the connection. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const encoding = encodingOf(response)
  const createDecoder = DECODERS.get(encoding)
  if (encoding !== '' && !createDecoder) {
    response.destroy()
    throw Object.assign(
      new Error(`the answer is packed as "${encoding.slice(0, 50)}", which cannot be read`),
      {
        code: 'unsupported',
      },
    )
  }
  // Errors of either stream come out of the loop below.
  const decoder = createDecoder?.()
  const source: Readable = decoder ? pipeline(response, decoder, () => {}) : response
  const chunks: Buffer[] = []
  let held = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    held += chunk.length
    if (held > maxBytes) break
  }
  return {
    bytes: Buffer.concat(chunks).subarray(0, maxBytes),
    isCut: held > maxBytes,
    packedBytes: decoder?.bytesWritten ?? held,
  }
}

function encodingOf(response: IncomingMessage): string {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  return encoding === 'identity' ? '' : encoding
}
