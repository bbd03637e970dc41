import { hash } from 'node:crypto'
import type { GrantBinding } from '@capstan/protocol'

/** JSON with sorted keys at every depth: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys)
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The digest of a call: this tool with exactly these arguments. */
export function digestCall(tool: string, args: unknown): string {
  return hash('sha256', `${tool}\n${canonicalJson(args)}`)
}

/**
 * The digest an approval is bound to. For a tool of an app it includes the app, the account and the definition, so that
 * a yes to one app's action never fits the action of another app with the same name. A local tool has none of these.
 */
export function digestRequest(tool: string, args: unknown, binding?: GrantBinding): string {
  if (binding?.app === undefined && binding?.connectionId === undefined) return digestCall(tool, args)
  const { app, connectionId, definitionDigest } = binding
  const origin = canonicalJson([app?.toolkit, connectionId, definitionDigest])
  return hash('sha256', `${digestCall(tool, args)}\n${origin}`)
}
