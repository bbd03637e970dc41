import type { JsonValue } from '../../../turn/json.ts'
import { isRecord } from '../../../turn/json.ts'
import type { ToolCall } from '../../../turn/tool/tool-call.ts'
import { readJson } from './read-json.ts'

/** The arguments of a call. `malformed` is set when they could not be read. */
export type Arguments = Pick<ToolCall, 'arguments' | 'malformed'>

/** Some models encode JSON that is already encoded. */
const MAX_ENCODINGS = 2

/** Longer arguments would hold up everything that runs beside this turn. */
const MAX_ARGUMENT_CHARS = 200_000
const KEPT_CHARS = 2_000

/** Reads the arguments of a call from the text a provider delivered. Empty text means no arguments. Never throws. */
export function readArguments(text: string): Arguments {
  return decode(text, text, 0)
}

/** Reads the arguments of a call from a JSON value: an object, or a string that contains one. */
export function toArguments(value: JsonValue | undefined): Arguments {
  if (value === undefined || value === null) return { arguments: {} }
  if (isRecord(value)) return { arguments: value }
  if (typeof value === 'string') return decode(value, value, 0)
  return malformed(JSON.stringify(value), notAnObject(value))
}

/** Arguments that could not be read. The call does not run, and the model gets the problem as its result. */
export function malformed(raw: string, problem: string): Arguments {
  return { arguments: {}, malformed: { raw, problem } }
}

function decode(text: string, raw: string, encodings: number): Arguments {
  if (text.length > MAX_ARGUMENT_CHARS) {
    const problem = `The arguments are longer than ${MAX_ARGUMENT_CHARS} characters.`
    return malformed(text.slice(0, KEPT_CHARS), problem)
  }
  if (text.trim() === '') return { arguments: {} }
  const reading = readJson(text)
  if ('problem' in reading)
    return malformed(raw, isRunTogether(text) ? RUN_TOGETHER : `The arguments are ${reading.problem}.`)
  if (reading.duplicate !== undefined) {
    return malformed(raw, `The arguments have the key "${reading.duplicate}" twice, with different values.`)
  }
  const { value } = reading
  if (isRecord(value)) return { arguments: value }
  if (value === null) return { arguments: {} }
  if (typeof value === 'string' && encodings < MAX_ENCODINGS) return decode(value, raw, encodings + 1)
  return malformed(raw, notAnObject(value))
}

const RUN_TOGETHER =
  'The arguments are several JSON objects in a row, and it is not certain what they mean. Make one call for each.'

const MAX_SEAMS = 20

/** Whether the text is two whole objects, one directly behind the other. */
function isRunTogether(text: string): boolean {
  const seams = [...text.matchAll(/\}\s*(?=\{)/g)].slice(0, MAX_SEAMS)
  return seams.some(({ index }) => isWholeObject(text.slice(0, index + 1)))
}

function isWholeObject(text: string): boolean {
  const reading = readJson(text)
  return 'value' in reading && isRecord(reading.value)
}

function notAnObject(value: JsonValue): string {
  const found = Array.isArray(value) ? 'a list' : `a ${typeof value}`
  return `The arguments must be a JSON object, not ${found}.`
}
