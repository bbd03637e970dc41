import { createMessageMeter } from './message-meter.ts'

/** One message of a program: its line, or the beginning of one that is too large to be read. */
export type MessageLine = { readonly text: string } | { readonly tooLarge: string }

const LF = 10
/** Enough to find the number of the request in it. */
const HEAD_BYTES = 1_024

/** Splits what a program prints into lines. Of a line that is too large, only the beginning is kept. */
export function createMessageLines(): (piece: Buffer) => Generator<MessageLine> {
  const meter = createMessageMeter()
  let pieces: Buffer[] = []
  let isTooLarge = false

  function add(part: Buffer): void {
    if (isTooLarge) return
    pieces.push(part)
    if (meter.take(part)) return
    isTooLarge = true
    pieces = [Buffer.concat(pieces).subarray(0, HEAD_BYTES)]
  }

  function end(): MessageLine {
    const text = Buffer.concat(pieces).toString()
    const line = isTooLarge ? { tooLarge: text } : { text }
    pieces = []
    isTooLarge = false
    meter.reset()
    return line
  }

  return function* (piece) {
    let start = 0
    for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, start)) {
      add(piece.subarray(start, at))
      start = at + 1
      yield end()
    }
    if (start < piece.length) add(piece.subarray(start))
  }
}
