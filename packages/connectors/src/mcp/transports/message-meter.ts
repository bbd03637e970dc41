/** What to tell about a message that is too large to be read. */
export const TOO_LARGE_TEXT = 'The app sent a message that is too large or too complex to be read.'

/** The code of the error that stands for such a message. */
export const TOO_LARGE_CODE = -32_094

/** Thrown instead of a message that is too large to be read. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge'

  constructor() {
    super(TOO_LARGE_TEXT)
  }
}

/** An answer that says that the one to this request was too large. */
export const tooLargeAnswer = (id: string | number) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code: TOO_LARGE_CODE, message: TOO_LARGE_TEXT },
})

// What it takes to read a message in one go. Many small values take much longer than one long text.
const MAX_COST = 24 * 1024 * 1024
const ESCAPE_COST = 2
const VALUE_COST = 800
/** Of a list in the result itself, its blocks or its tools: each of them is compared with many shapes. */
const PART_COST = 20_000
const PARTS_DEPTH = 3
/** Of a list in one of those: when an item has the wrong shape, every shape complains about it. */
const ITEM_COST = 12_000
const ITEMS_DEPTH = 5
/** What is nested deeper would overflow the stack of whoever walks through it. */
const MAX_DEPTH = 200

const [LF, CR, QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  10, 13, 34, 44, 58, 91, 92, 93, 123, 125,
]

const itemCost = (depth: number): number =>
  depth === PARTS_DEPTH ? PART_COST : depth >= ITEMS_DEPTH ? ITEM_COST : VALUE_COST

/** Estimates while a message of JSON arrives how long it would take to read it. */
export interface MessageMeter {
  /** Answers false when the message is too large. */
  take(piece: Uint8Array): boolean
  /** The next message begins. */
  reset(): void
}

/** A meter for one message after the other. In an event stream, an empty line ends a message. */
export function createMessageMeter({ isStream = false } = {}): MessageMeter {
  let cost = 0
  let isTooLarge = false
  let depth = 0
  const isList = new Uint8Array(MAX_DEPTH + 1)
  let isText = false
  let isEscaped = false
  let isLineEmpty = true
  let last = 0

  function reset(): void {
    isTooLarge ||= cost > MAX_COST
    cost = 0
    depth = 0
    isText = false
    isEscaped = false
  }

  function endLine(byte: number): void {
    // No text of JSON goes on in the next line, and the fields of an event are no JSON.
    isText = false
    isEscaped = false
    if (isStream && isLineEmpty && !(byte === LF && last === CR)) reset()
    isLineEmpty = true
  }

  return {
    take(piece) {
      cost += piece.length
      for (const byte of piece) {
        if (byte === LF || byte === CR) endLine(byte)
        else {
          isLineEmpty = false
          if (isEscaped) isEscaped = false
          else if (isText) {
            if (byte === QUOTE) isText = false
            else if (byte === BACKSLASH) {
              isEscaped = true
              cost += ESCAPE_COST
            }
          } else if (byte === QUOTE) isText = true
          else if (byte === COMMA) cost += isList[depth] === 1 ? itemCost(depth) : VALUE_COST
          else if (byte === COLON) cost += VALUE_COST
          else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
            cost += VALUE_COST
            depth++
            if (depth > MAX_DEPTH) return false
            isList[depth] = byte === OPEN_LIST ? 1 : 0
          } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1)
        }
        last = byte
      }
      return !isTooLarge && cost <= MAX_COST
    },
    reset() {
      reset()
      isTooLarge = false
    },
  }
}
