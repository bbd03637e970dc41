import type { JsonObject, JsonValue } from '../../../turn/json.ts'
import { isRecord } from '../../../turn/json.ts'
import type { ParsedCall } from '../../seams.ts'
import { BracketLexer } from './bracket-lexer.ts'
import type { KnownTools } from '../known-tools.ts'
import { toArguments } from '../arguments/read-arguments.ts'
import type { JsonReading } from '../arguments/read-json.ts'
import { readJson } from '../arguments/read-json.ts'
import type { Reading, ReplySource } from './reply-source.ts'
import { skipSpace } from './reply-source.ts'
import type { Segment } from './segment.ts'
import { ARGUMENT_KEYS, toCallList } from '../to-calls.ts'

/** The only keys of a call without tags. An ordinary JSON answer has other keys. */
const BARE_CALL_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', 'content', 'id', 'type'])
const LISTED_CALL_KEYS: ReadonlySet<string> = new Set([
  'name',
  'function',
  'id',
  'type',
  'index',
  ...ARGUMENT_KEYS,
])

/**
 * Reads a JSON value at the start of a reply. It becomes calls when it is the whole reply and has the form of calls, else
 * opaque text. Undefined, with nothing read, when it is not JSON.
 */
export function* readWholeReply(source: ReplySource, tools: KnownTools): Reading<Segment | undefined> {
  source.keep()
  const isComplete = yield* readValue(source)
  const length = source.keptLength
  const isWhole = isComplete && !(yield* skipSpace(source))
  const written = source.release(isComplete ? length : 0)
  const reading: JsonReading = isComplete ? readJson(written) : { problem: 'incomplete' }
  if ('problem' in reading) {
    source.at -= written.length
    return undefined
  }
  const calls = isWhole ? toCalls(reading, tools) : undefined
  if (!calls) return { type: 'text', text: written, isOpaque: true }
  const content = isRecord(reading.value) ? reading.value['content'] : undefined
  return { type: 'calls', calls, source: written, text: typeof content === 'string' ? content : '' }
}

/** Moves past the object or list of objects that begins here. */
function* readValue(source: ReplySource): Reading<boolean> {
  const lexer = new BracketLexer()
  const mayFollow = source.text.charAt(source.at) === '[' ? '{' : `"'}`
  let isFirst = true
  for (;;) {
    for (; source.at < source.text.length; source.at++) {
      const code = source.text.charCodeAt(source.at)
      const isSpace = code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
      if (lexer.isOpen && isFirst && !isSpace) {
        isFirst = false
        // Most brackets at the start of a reply are prose: `[a link](…)`, `{placeholder}`. They are not held back.
        if (!mayFollow.includes(String.fromCharCode(code))) return false
      }
      lexer.feed(code)
      if (!lexer.isOpen) {
        source.at++
        return !lexer.isMismatched
      }
    }
    if (source.ended) return false
    yield
  }
}

function toCalls(
  { value, repaired, duplicate }: Extract<JsonReading, { value: JsonValue }>,
  tools: KnownTools,
): readonly ParsedCall[] | undefined {
  if (duplicate !== undefined) return undefined
  if (isRecord(value) && Array.isArray(value['tool_calls'])) {
    const listed = value['tool_calls'] as readonly JsonValue[]
    return listed.every((one) => hasOnly(one, LISTED_CALL_KEYS)) ? toCallList(listed) : undefined
  }
  const bare = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
  return !repaired && bare.every((one) => isBareCall(one, tools)) ? toCallList(bare) : undefined
}

/** A call without tags must be unambiguous: a known tool, the literal key `arguments`, and no other keys. */
function isBareCall(value: JsonValue, tools: KnownTools): boolean {
  if (!hasOnly(value, BARE_CALL_KEYS) || typeof value['name'] !== 'string') return false
  const args = value['arguments']
  if (!isRecord(args) && (typeof args !== 'string' || toArguments(args).malformed)) return false
  return tools.find(value['name']) !== undefined
}

function hasOnly(value: JsonValue, keys: ReadonlySet<string>): value is JsonObject {
  return isRecord(value) && Object.keys(value).every((key) => keys.has(key))
}
