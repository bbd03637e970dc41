import { hash } from 'node:crypto'

/** JSON whose keys are sorted at every depth: one text for one value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys)
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** What an approval is bound to: this tool with exactly these arguments. */
export function digestCall(tool: string, args: unknown): string {
  return hash('sha256', `${tool}\n${canonicalJson(args)}`)
}
