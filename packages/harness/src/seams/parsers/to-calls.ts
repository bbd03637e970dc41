import type { JsonObject, JsonValue } from '../../turn/json.ts'
import { isRecord } from '../../turn/json.ts'
import type { ParsedCall } from '../seams.ts'
import { malformed, toArguments } from './arguments/read-arguments.ts'
import { readJson } from './arguments/read-json.ts'

/** The keys that models use for arguments. The first one present counts. */
export const ARGUMENT_KEYS: readonly string[] = ['arguments', 'args', 'parameters', 'params', 'input']
/** Keys beside a name that are not arguments. */
const BESIDE_NAME: ReadonlySet<string> = new Set(['name', 'id', 'type', 'index'])
const BESIDE_FUNCTION: ReadonlySet<string> = new Set(['function', 'id', 'type', 'index'])
const TOOL_NAME = /^[\p{L}\p{N}_.:/-]{1,128}$/u
const LEADING_NAME =
  /^\{\s*(?:["']?function["']?\s*:\s*\{\s*)?["']?name["']?\s*:\s*(["'])([\p{L}\p{N}_.:/-]{1,128})\1/u

/**
 * Reads the calls in a text that holds one JSON value: an object, a list of objects, or an envelope with `tool_calls`.
 * Undefined when it is not a call. `name` is the tool when the value holds only its arguments.
 */
export function readCallText(text: string, name?: string): readonly ParsedCall[] | undefined {
  const reading = readJson(text)
  const problem =
    'problem' in reading
      ? `The call is ${reading.problem}.`
      : reading.duplicate === undefined
        ? undefined
        : `The call has the key "${reading.duplicate}" twice, with different values.`
  if (problem !== undefined) return asMalformed(text, problem, name)
  return 'value' in reading ? toCalls(reading.value, name) : undefined
}

/** The problem of a call that the end of the reply cut off. */
export const CUT_OFF = 'The reply ended before the call did. Write the call again, shorter if it was long.'

/** An unreadable call, to be reported to the model. Undefined when its tool is not certain. */
export function asMalformed(text: string, problem: string, name?: string): readonly ParsedCall[] | undefined {
  const tool = name ?? LEADING_NAME.exec(text.trimStart())?.[2]
  return tool === undefined ? undefined : [{ tool, ...malformed(text, problem) }]
}

/**
 * Whether a value is a call by itself: with a name and arguments, or a list of such. Of several values in a row, one with
 * only a name may be a call or the arguments of the value before it.
 */
export function isWholeCall(text: string): boolean {
  const reading = readJson(text)
  if (!('value' in reading)) return LEADING_NAME.test(text.trimStart())
  const values = Array.isArray(reading.value) ? (reading.value as readonly JsonValue[]) : [reading.value]
  return values.every((value) => {
    const call = isRecord(value) && isRecord(value['function']) ? value['function'] : value
    return isRecord(call) && (Array.isArray(call['tool_calls']) || hasNameAndArguments(call))
  })
}

const hasNameAndArguments = (value: JsonObject): boolean =>
  typeof value['name'] === 'string' && argumentKey(value) !== undefined

/** Whether a tool could have this name. A placeholder such as `<tool>` or `...` could not. */
export function isToolName(name: string): boolean {
  return TOOL_NAME.test(name)
}

/** Reads a list of calls. Undefined when a value in it is not a call. */
export function toCallList(values: readonly JsonValue[]): readonly ParsedCall[] | undefined {
  const calls: ParsedCall[] = []
  for (const value of values) {
    const call = isRecord(value) ? toCall(value) : undefined
    if (!call) return undefined
    calls.push(call)
  }
  return calls.length > 0 ? calls : undefined
}

function toCalls(value: JsonValue, name: string | undefined): readonly ParsedCall[] | undefined {
  if (Array.isArray(value)) return name === undefined ? toCallList(value as readonly JsonValue[]) : undefined
  if (!isRecord(value)) return undefined
  if (name !== undefined) return toNamedCall(value, name)
  if (Array.isArray(value['tool_calls'])) return toCallList(value['tool_calls'] as readonly JsonValue[])
  const call = toCall(value)
  return call && [call]
}

/** The tag names the tool. A complete call inside must name the same tool. */
function toNamedCall(value: JsonObject, name: string): readonly ParsedCall[] | undefined {
  if (!isToolName(name)) return undefined
  if (value['name'] === undefined || argumentKey(value) === undefined)
    return [{ tool: name, arguments: value }]
  const call = toCall(value)
  return call?.tool === name ? [call] : undefined
}

function toCall(value: JsonObject): ParsedCall | undefined {
  const wrapped = value['function']
  if (isRecord(wrapped)) {
    return Object.keys(value).every((key) => BESIDE_FUNCTION.has(key)) ? toBareCall(wrapped) : undefined
  }
  return toBareCall(value)
}

function toBareCall(value: JsonObject): ParsedCall | undefined {
  const tool = value['name']
  if (typeof tool !== 'string' || !isToolName(tool)) return undefined
  const key = argumentKey(value)
  if (key !== undefined) return { tool, ...toArguments(value[key]) }
  const unexpected = Object.keys(value).filter((other) => !BESIDE_NAME.has(other))
  if (unexpected.length === 0) return { tool, arguments: {} }
  const problem = `The call has no "arguments", but ${unexpected.map((other) => `"${other}"`).join(', ')} beside its name.`
  return { tool, ...malformed(JSON.stringify(value), problem) }
}

function argumentKey(value: JsonObject): string | undefined {
  return ARGUMENT_KEYS.find((key) => Object.hasOwn(value, key))
}
