import { hash } from 'node:crypto'
import type { GrantBinding } from '@capstan/protocol'
import { canonicalJson } from '../digest.ts'
import type { JsonObject } from '../json.ts'
import { isAddressKey, isWholeAddress } from '../tool/address-shape.ts'
import { destinationNames } from '../tool/destination-names.ts'
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

/** Where a call sends something: to its destinations, and to every address in another argument. Pure. */
export function destinationsOf(tool: Tool, effect: Effect, args: JsonObject): Destinations {
  const named = destinationNames(tool, effect)
  const found = Object.keys(args).filter((name) => {
    const value = args[name]
    return leavesOf(value).some((leaf) => isWholeAddress(leaf)) || hasAddressKey(value)
  })
  return destinationValues([...new Set([...named, ...found])], args)
}

const hasAddressKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(
    ([key, inner]) => (!Array.isArray(value) && isAddressKey(key)) || hasAddressKey(inner),
  )

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
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(isAddressKey(key) ? [key] : []),
      ...leavesOf(inner),
    ])
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
