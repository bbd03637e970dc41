import { hash } from 'node:crypto'

/** JSON with sorted keys at every depth: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys)
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The digest an approval is bound to: this tool with exactly these arguments. */
export function digestCall(tool: string, args: unknown): string {
  return hash('sha256', `${tool}\n${canonicalJson(args)}`)
}
