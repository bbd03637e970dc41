import type { Action } from '@capstan/harness/connectors'
import { isRecord } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'

/** The action of this name. Throws when there is none, and for one that may do more than read. */
export function requireRead(actions: ReadonlyMap<string, Action>, name: string): Action {
  const action = actions.get(name)
  if (!action) throw new Error(`the app has no action "${name}"`)
  if (action.effect !== 'read') throw new Error(`"${name}" is not an action that only reads`)
  return action
}

/** Cursors are texts. An action that counts its pages takes a number. Pure. */
export function withNumbers(args: JsonObject, { input }: Action): JsonObject {
  const properties = isRecord(input['properties']) ? input['properties'] : {}
  const toArgument = (name: string, value: JsonObject[string]): JsonObject[string] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isRecord(property) ? property['type'] : undefined
    const isNumber = typeof value === 'string' && /^\d{1,15}$/.test(value)
    return isNumber && (type === 'number' || type === 'integer') ? Number(value) : value
  }
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toArgument(name, value)]))
}

/** What an action answered: its data, or its text when that is no JSON. Pure. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
