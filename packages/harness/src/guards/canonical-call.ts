import { hash } from 'node:crypto'
import type { ToolCall } from '../turn/tool-call.ts'

/** One short name for a call: the order of keys does not matter, everything else does. */
export function canonicalCall(call: ToolCall): string {
  const details = call.malformed ? call.malformed.raw : JSON.stringify(call.arguments, sortKeys)
  return `${call.tool}#${hash('sha1', details)}`
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
