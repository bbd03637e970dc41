import { inflateRawSync } from 'node:zlib'
import { damaged, DocumentError } from '../document-error.ts'

const MB = 1024 * 1024
/** What one entry, and all that are read of one archive, may inflate to. */
const MAX_ENTRY_BYTES = 64 * MB
const MAX_TOTAL_BYTES = 128 * MB
const MAX_ENTRIES = 10_000

const END = 0x06_05_4b_50
const ENTRY = 0x02_01_4b_50
const LOCAL = 0x04_03_4b_50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xff_ff
const STORED = 0
const DEFLATED = 8

interface Entry {
  readonly flags: number
  readonly method: number
  readonly bytes: number
  readonly offset: number
}

/** The parts of an Office file, by name. Each is inflated when it is asked for. */
export interface Zip {
  readonly names: readonly string[]
  /** Undefined when there is no such part. Throws `DocumentError` for one that is too large or damaged. */
  read(name: string): string | undefined
}

/** Opens an archive. Names are only keys here, never paths of this machine. Throws `DocumentError`. */
export function openZip(bytes: Uint8Array): Zip {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = orDamaged(() => readDirectory(view))
  let left = MAX_TOTAL_BYTES
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name)
      if (!entry) return undefined
      const content = orDamaged(() => inflate(view, entry, Math.min(left, MAX_ENTRY_BYTES)))
      left -= content.length
      return content.toString('utf8')
    },
  }
}

function readDirectory(view: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(view)
  const count = view.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw new DocumentError('too_large', 'has too many parts')
  const entries = new Map<string, Entry>()
  let at = view.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (view.readUInt32LE(at) !== ENTRY) throw damaged()
    const nameBytes = view.readUInt16LE(at + 28)
    entries.set(view.toString('utf8', at + 46, at + 46 + nameBytes), {
      flags: view.readUInt16LE(at + 8),
      method: view.readUInt16LE(at + 10),
      bytes: view.readUInt32LE(at + 20),
      offset: view.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
  }
  return entries
}

function findEnd(view: Buffer): number {
  const first = Math.max(0, view.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = view.length - END_BYTES; at >= first; at--) if (view.readUInt32LE(at) === END) return at
  throw damaged()
}

function inflate(view: Buffer, { flags, method, bytes, offset }: Entry, maxBytes: number): Buffer {
  if (flags & 1) throw new DocumentError('invalid_input', 'is protected with a password')
  if (view.readUInt32LE(offset) !== LOCAL) throw damaged()
  const start = offset + 30 + view.readUInt16LE(offset + 26) + view.readUInt16LE(offset + 28)
  const packed = view.subarray(start, start + bytes)
  if (packed.length !== bytes) throw damaged()
  if (method === STORED) {
    if (bytes > maxBytes) throw tooLarge()
    return packed
  }
  if (method !== DEFLATED || maxBytes === 0) throw maxBytes === 0 ? tooLarge() : damaged()
  return inflateRawSync(packed, { maxOutputLength: maxBytes })
}

const tooLarge = (): DocumentError => new DocumentError('too_large', 'is too large when it is unpacked')

/** Reading beyond the end, or broken data, is damage. */
function orDamaged<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentError) throw error
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge()
    throw damaged()
  }
}
