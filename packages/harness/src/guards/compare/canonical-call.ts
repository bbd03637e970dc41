import type { JsonObject, JsonValue } from '../../turn/json.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import { isNonce } from './cosmetic-arguments.ts'
import { hashLoosely } from './loose-hash.ts'
import { hashOf, mix } from './text-hash.ts'

/** A short key for a call. It ignores the order of keys, extra white space and nonces, and nothing else. */
export function canonicalCall(call: ToolCall): string {
  return `${call.tool}#${hashOf(call.malformed ? call.malformed.raw : write(call.arguments)).toString(36)}`
}

let lastCall: ToolCall | undefined
let lastNumber = 0

/** A hash of a call. Calls that differ only cosmetically (case, punctuation, decoration) have the same hash. */
export function looseCall(call: ToolCall): number {
  // Most replies have one call, and several guards compare it.
  if (call !== lastCall) {
    lastCall = call
    lastNumber = mix(hashOf(call.tool) ^ hashLoosely(call.malformed ? call.malformed.raw : call.arguments))
  }
  return lastNumber
}

const UNEVEN = /^\s|\s$|\s\s|[\t\n\r]/

function write(value: JsonValue): string {
  if (typeof value === 'string')
    return `"${UNEVEN.test(value) ? value.trim().replaceAll(/\s+/g, ' ') : value}"`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(write).join()}]`
  const object = value as JsonObject
  const keys = Object.keys(object).toSorted()
  const kept = keys.filter((key) => object[key] !== undefined && !isNonce(key, object[key], keys))
  return `{${kept.map((key) => `${key}:${write(object[key]!)}`).join()}}`
}
