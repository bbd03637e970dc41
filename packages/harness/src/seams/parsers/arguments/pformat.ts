import type { JsonObject, JsonValue } from '../../../turn/json.ts'
import type { Tool } from '../../../turn/tool/tool.ts'
import { toJsonSchema } from '../../../turn/tool/tool.ts'
import { isRecord } from '../../../turn/json.ts'

/** A parameter of a tool, in the order of a positional call. */
export interface Position {
  readonly name: string
  /** The first type in its schema that is not null. Undefined when the schema names none. */
  readonly type: string | undefined
  readonly isRequired: boolean
  readonly schema: JsonObject
}

/** Tool names that a positional call can use. */
export const POSITIONAL_NAME = /^[\p{L}\p{N}_]{1,128}$/u

const positions = new WeakMap<object, readonly Position[]>()

/** The parameters of a tool in the alphabetical order of their names. Never throws: an unreadable schema has none. */
export function positionsOf(input: Tool['input']): readonly Position[] {
  let found = positions.get(input)
  if (!found) {
    found = describe(input)
    positions.set(input, found)
  }
  return found
}

/**
 * Reads the arguments in `name[a|b|c]` from the text between the brackets. Values beyond the last parameter are dropped;
 * parameters beyond the last value are absent. Undefined when the text cannot be the inside of one call: it has an
 * unescaped `]` that closes nothing, or a backslash before the closing bracket.
 */
export function readPositional(inside: string, input: Tool['input']): JsonObject | undefined {
  const values = splitValues(inside)
  if (!values) return undefined
  return Object.fromEntries(
    positionsOf(input)
      .slice(0, values.length)
      .map(({ name, type }, index) => [name, convert(values[index] ?? '', type)]),
  )
}

function describe(input: Tool['input']): readonly Position[] {
  let schema: JsonObject
  try {
    schema = toJsonSchema(input)
  } catch {
    return []
  }
  const { properties, required } = schema
  if (!isRecord(properties)) return []
  return Object.keys(properties)
    .toSorted()
    .map((name) => {
      const property = properties[name]
      const own = isRecord(property) ? property : {}
      return {
        name,
        type: typeIn(own),
        isRequired: Array.isArray(required) && required.includes(name),
        schema: own,
      }
    })
}

function typeIn({ type }: JsonObject): string | undefined {
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type]
  return types.find((one): one is string => typeof one === 'string' && one !== 'null')
}

function splitValues(inside: string): readonly string[] | undefined {
  if (inside === '') return []
  const values: string[] = []
  let value = ''
  let depth = 0
  for (let at = 0; at < inside.length; at++) {
    const char = inside.charAt(at)
    const next = inside.charAt(at + 1)
    if (char === '\\' && next === '') return undefined
    if (char === '\\' && (next === '|' || next === ']' || next === '\\')) {
      value += next
      at++
    } else if (char === '|') {
      values.push(value)
      value = ''
    } else {
      if (char === '[') depth++
      if (char === ']' && --depth < 0) return undefined
      value += char
    }
  }
  return [...values, value]
}

const TRUE = /^(?:true|yes|1)$/i
const FALSE = /^(?:false|no|0)$/i
const INTEGER = /^[+-]?\d+$/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** A value that does not parse as its type stays a string; the schema check reports it to the model. */
function convert(value: string, type: string | undefined): JsonValue {
  const trimmed = value.trim()
  if (type === 'boolean') return TRUE.test(trimmed) || (FALSE.test(trimmed) ? false : value)
  if (type === 'integer' && INTEGER.test(trimmed)) {
    const number = Number(trimmed)
    return Number.isSafeInteger(number) ? number + 0 : value
  }
  if (type === 'number' && NUMBER.test(trimmed)) {
    const number = Number(trimmed)
    return Number.isFinite(number) ? number + 0 : value
  }
  return value
}
