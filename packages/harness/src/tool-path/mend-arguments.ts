import type { ErrorObject } from 'ajv/dist/2020.js'
import { isHolder } from '../turn/json.ts'

/** What does not fit, as the validators report it. */
export type ArgumentError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'message'>

/** Longer texts are not read as JSON: reading one takes time, and each error may ask for it again. */
const MAX_JSON_CHARS = 100_000

/**
 * Repairs validation errors in place where only one meaning is possible: a number or boolean written as text, a number
 * where text belongs, a list or an object written as JSON, an optional field that is null. Returns whether anything was
 * repaired; then the value must be checked again.
 */
export function mendArguments(args: unknown, errors: readonly ArgumentError[]): boolean {
  let mended = false
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'type') continue
    const types: unknown = params['type']
    const wanted = Array.isArray(types) ? types : [types]
    if (mendAt(args, instancePath, wanted)) mended = true
  }
  return mended
}

function mendAt(args: unknown, path: string, wanted: readonly unknown[]): boolean {
  const keys = path.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = keys.pop()
  let holder = args
  for (const key of keys.slice(1)) holder = isHolder(holder) ? holder[key] : undefined
  if (last === undefined || !isHolder(holder) || !Object.hasOwn(holder, last)) return false
  const sent = holder[last]
  if (sent === null && !Array.isArray(holder)) return delete holder[last]
  const meant = wanted.map((type) => toType(sent, type)).find((value) => value !== undefined)
  if (meant === undefined) return false
  holder[last] = meant
  return true
}

const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

function toType(sent: unknown, type: unknown): unknown {
  if (typeof sent === 'number') return type === 'string' ? String(sent) : undefined
  if (typeof sent !== 'string') return undefined
  switch (type) {
    case 'number':
    case 'integer':
      return DECIMAL.test(sent.trim()) ? Number(sent) : undefined
    case 'boolean':
      return sent === 'true' ? true : sent === 'false' ? false : undefined
    case 'array':
      return readJson(sent, Array.isArray)
    case 'object':
      return readJson(sent, (value) => isHolder(value) && !Array.isArray(value))
    default:
      return undefined
  }
}

function readJson(text: string, fits: (value: unknown) => boolean): unknown {
  if (text.length > MAX_JSON_CHARS) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return fits(value) ? value : undefined
  } catch {
    return undefined
  }
}
