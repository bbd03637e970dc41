import type { JsonObject } from '../turn/json.ts'
import { isAddressKey } from '../turn/tool/address-shape.ts'

/** A text or a number in the arguments of a call, with the name of the argument it is in. */
export interface ArgumentValue {
  readonly name: string
  readonly value: string
}

/** Every text and number in the arguments of a call, those in lists and objects included. */
export function argumentValues(args: JsonObject): ArgumentValue[] {
  const found: ArgumentValue[] = []
  const open: [name: string, value: unknown][] = Object.entries(args).toReversed()
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next
    if (typeof value === 'string' && value.trim() !== '') found.push({ name, value })
    else if (typeof value === 'number') found.push({ name, value: String(value) })
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        open.push([name, inner])
        if (!Array.isArray(value) && isAddressKey(key)) found.push({ name, value: key })
      }
    }
  }
  return found
}

const ID_NAME = /(?:^|_|-)ids?_?$|I[dD]s?$/
const DATE_OR_TIME = /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:[T ].*)?$/

/** Whether an argument with this name holds the id of a thing. */
export const isIdName = (name: string): boolean => ID_NAME.test(name)

export const isDateOrTime = (value: string): boolean => DATE_OR_TIME.test(value)
