/** The size of a block. */
export const BLOCK_BYTES = 64 * 1024
const MAX_CHARACTER_BYTES = 4

/** Turns text that comes in pieces into blocks of bytes, so that ten million lines do not make ten million writes. */
export interface BlockEncoder {
  /**
   * The blocks that become full, made one by one as they are taken. A character cut in two by its writer comes out
   * whole.
   */
  add(text: string): Iterable<Buffer>
  /** What is left. */
  end(): Iterable<Buffer>
}

/** An encoder for one text. */
export function createBlockEncoder(): BlockEncoder {
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let used = 0
  let halfCharacter = ''

  function* fill(text: string): Generator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(block, used, at)
      at += copied
      used += copied
      if (used < BLOCK_BYTES) return
      yield block
      block = Buffer.allocUnsafe(BLOCK_BYTES)
      used = 0
    }
  }

  return {
    *add(text) {
      for (let at = 0; at < text.length; at += BLOCK_BYTES) {
        const piece = halfCharacter + text.slice(at, at + BLOCK_BYTES)
        halfCharacter = isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : ''
        yield* fill(halfCharacter === '' ? piece : piece.slice(0, -1))
      }
    },
    *end() {
      yield* fill(halfCharacter)
      halfCharacter = ''
      if (used > 0) yield block.subarray(0, used)
    },
  }
}

/** The bytes to fetch for a slice: what was asked for, and enough around it to find where characters begin. */
export function toFetchRange(
  range: { readonly offset: number; readonly maxBytes: number },
  totalBytes: number,
): { readonly from: number; readonly to: number } {
  const from = Math.min(totalBytes, Math.max(0, Math.trunc(range.offset) || 0))
  const wanted = Math.max(1, Math.trunc(range.maxBytes) || 0)
  return { from, to: Math.min(totalBytes, from + wanted + 2 * (MAX_CHARACTER_BYTES - 1)) }
}

/**
 * Cuts fetched bytes at characters: never more than `maxBytes`, unless a single character is larger, because
 * reading on must always get somewhere.
 */
export function cutSlice(
  fetched: Buffer,
  from: number,
  maxBytes: number,
  totalBytes: number,
): { readonly text: string; readonly nextOffset?: number; readonly bytes: number } {
  let start = 0
  while (start < fetched.length && start < MAX_CHARACTER_BYTES - 1 && isInsideCharacter(fetched[start]))
    start++
  let end = Math.min(fetched.length, start + Math.max(1, Math.trunc(maxBytes) || 0))
  if (from + end < totalBytes) {
    const whole = backToBoundary(fetched, start, end)
    end = whole > start ? whole : onToBoundary(fetched, start)
  }
  const nextOffset = from + end
  return {
    text: fetched.toString('utf8', start, end),
    ...(nextOffset < totalBytes ? { nextOffset } : undefined),
    bytes: totalBytes,
  }
}

function backToBoundary(bytes: Buffer, start: number, end: number): number {
  let cut = end
  while (cut > start && isInsideCharacter(bytes[cut])) cut--
  return cut
}

function onToBoundary(bytes: Buffer, start: number): number {
  let cut = start + 1
  while (cut < bytes.length && isInsideCharacter(bytes[cut])) cut++
  return cut
}

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
const isHighSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff
