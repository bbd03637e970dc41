import { toErrorText } from '../../../turn/error-message.ts'
import type { JsonValue } from '../../../turn/json.ts'
import type { Token } from './spell-json.ts'
import { MAX_DEPTH, spellJson } from './spell-json.ts'

/** A JSON value, or why there is none. */
export type JsonReading =
  | {
      readonly value: JsonValue
      /** True when the text was not valid JSON as written. */
      readonly repaired: boolean
      /** A key that one object has twice with different values. `value` holds only one of them. */
      readonly duplicate?: string
    }
  | { readonly problem: string }

/**
 * Reads one JSON value. Repairs only unambiguous mistakes: single quotes, trailing commas, raw line breaks in strings,
 * bare keys, Python's constants, comments, a code fence around it. Never adds or drops data, so truncated text has no
 * value. Never throws.
 */
export function readJson(text: string): JsonReading {
  const plain = readPlain(text)
  if (plain !== undefined) return { value: plain, repaired: false }
  const spelled = spellJson(text)
  if ('problem' in spelled) return spelled
  const { tokens, repaired } = spelled
  let value: JsonValue
  try {
    value = JSON.parse(tokens.map((token) => token.json).join(' ')) as JsonValue
  } catch (error) {
    return { problem: `not valid JSON (${toErrorText(error)})` }
  }
  const duplicate = findDuplicate(tokens)
  return duplicate === undefined ? { value, repaired } : { value, repaired, duplicate }
}

/** A text this short cannot be nested deeper than `MAX_DEPTH`. */
const SHORT_CHARS = 2 * MAX_DEPTH

/** Most calls are short and survive a round trip through JSON unchanged. A text with a duplicate key does not. */
function readPlain(text: string): JsonValue | undefined {
  if (text.length > SHORT_CHARS) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

interface OpenObject {
  /** Key to the first and last token of its value. */
  readonly values: Map<string, { from: number; to: number }>
  key: string
  from: number
}

// `JSON.parse` silently keeps the last of two values. The tokens are known to be well formed here.
function findDuplicate(tokens: readonly Token[]): string | undefined {
  const open: (OpenObject | undefined)[] = []
  for (const [index, token] of tokens.entries()) {
    const object = open.at(-1)
    if (token.json === '{') open.push({ values: new Map(), key: '', from: 0 })
    else if (token.json === '[') open.push(undefined)
    else if (token.json === ':' && object) {
      object.key = JSON.parse(tokens[index - 1]?.json ?? '""') as string
      object.from = index + 1
    } else if (token.json === ',' || token.json === '}' || token.json === ']') {
      if (object && object.from > 0) {
        const before = object.values.get(object.key)
        const to = index
        if (before && !sameTokens(tokens, before, { from: object.from, to })) return object.key
        object.values.set(object.key, { from: object.from, to })
        object.from = 0
      }
      if (token.json !== ',') open.pop()
    }
  }
  return undefined
}

function sameTokens(
  tokens: readonly Token[],
  a: { from: number; to: number },
  b: { from: number; to: number },
): boolean {
  if (a.to - a.from !== b.to - b.from) return false
  for (let step = 0; step < a.to - a.from; step++) {
    if (tokens[a.from + step]?.json !== tokens[b.from + step]?.json) return false
  }
  return true
}
