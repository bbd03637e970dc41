import { hash } from 'node:crypto'
import type { GrantBinding } from '@capstan/protocol'
import { canonicalJson } from '../digest.ts'
import type { JsonObject } from '../json.ts'
import { addressesIn, isAddressKey } from '../tool/address-shape.ts'
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

/**
 * Where a call sends something: to its destinations, and to every other address in any argument. The names of arguments
 * are compared without case, because many services read them so. Pure.
 */
export function destinationsOf(tool: Tool, effect: Effect, args: JsonObject): Destinations {
  const named = destinationNames(tool, effect)
  const [declared, others] = [new Set(named), [] as string[]]
  for (const name of Object.keys(args))
    if (named.some((one) => isSameName(one, name))) declared.add(name)
    else others.push(name)
  const values = destinationValues([...declared], args)
  const known = new Set(Object.values(values).flat())
  const found = others.map((name) => {
    const addresses = addressesOf({ [name]: args[name] })
    return [name, addresses.filter((address) => !known.has(address))] as const
  })
  return { ...values, ...Object.fromEntries(found.filter(([, addresses]) => addresses.length > 0)) }
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The addresses in all texts inside of a value, and the keys that are addresses. */
function addressesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return addressesIn(value)
  if (Array.isArray(value)) return value.flatMap(addressesOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(isAddressKey(key) ? [key] : []),
    ...addressesOf(inner),
  ])
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
    if (Array.isArray(inner)) return inner.flat(Infinity).flatMap((entry) => own(entry, step))
    return own(inner, step)
  }, value)
}

/** The values under all spellings of a name. */
const own = (value: unknown, step: string): readonly unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => (isSameName(key, step) ? [inner] : []))
    : []

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
