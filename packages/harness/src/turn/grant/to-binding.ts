import { hash } from 'node:crypto'
import type { GrantBinding } from '@capstan/protocol'
import { canonicalJson } from '../digest.ts'
import type { JsonObject } from '../json.ts'
import type { Effect, Tool } from '../tool/tool.ts'
import { appOf, toJsonSchema } from '../tool/tool.ts'
import type { Destinations } from './constraints.ts'

/** What a grant for this call is bound to, besides its user and the name of the tool. */
export function toBinding(tool: Tool, args: JsonObject, effect: Effect): GrantBinding {
  const app = appOf(tool, args)
  return {
    ...(app && { app }),
    ...(tool.connectionId !== undefined && { connectionId: tool.connectionId }),
    definitionDigest: definitionDigestOf(tool),
    effect,
  }
}

const digests = new WeakMap<Tool, string>()

/** The fingerprint of a tool's definition. Computed once per tool. */
export function definitionDigestOf(tool: Tool): string {
  if (tool.definitionDigest !== undefined) return tool.definitionDigest
  let digest = digests.get(tool)
  if (digest === undefined) {
    const { name, description, input, effect } = tool
    const reach = typeof effect === 'function' ? 'by arguments' : effect
    digest = hash('sha256', canonicalJson([name, description, toJsonSchema(input), reach]))
    digests.set(tool, digest)
  }
  return digest
}

/** The values of the arguments with these names. Each text and number inside of one counts. Pure. */
export function destinationValues(names: readonly string[], args: JsonObject): Destinations {
  return Object.fromEntries(
    names.map((name) => [name, leavesOf(Object.hasOwn(args, name) ? args[name] : at(args, name))]),
  )
}

/** The value at a path such as `message.to`; from a list, the values of all its entries. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner.flat(Infinity).map((entry) => own(entry, step))
    return own(inner, step)
  }, value)
}

const own = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined

function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
