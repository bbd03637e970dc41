/** The text is copied out in pieces of this size: reading an array is more than twice as fast as asking a string. */
export const PIECE_UNITS = 32 * 1024

/** The code units of the piece loaded last. Whoever loads one is done with it before anyone else runs. */
export const units = new Uint16Array(PIECE_UNITS)
const bytes = Buffer.from(units.buffer)

/** Loads a piece of the text into `units`, at most `PIECE_UNITS` long, and answers its length. */
export function loadUnits(text: string, start: number): number {
  const size = Math.min(PIECE_UNITS, text.length - start)
  bytes.write(size === text.length ? text : text.slice(start, start + size), 'utf16le')
  return size
}
