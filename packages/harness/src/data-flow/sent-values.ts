import { isWholeAddress } from '../turn/tool/address-shape.ts'
import { findAddresses } from './addresses.ts'
import type { ArgumentValue } from './argument-values.ts'
import type { FlowTool } from './flow-types.ts'
import { toWords } from './words.ts'

/** The values of a call that say where something goes, and all others. */
export interface SplitValues {
  /** Each address of a list is one of them. */
  readonly sent: readonly ArgumentValue[]
  readonly others: readonly ArgumentValue[]
}

/** Splits the values of a call. An address counts as a destination in an argument that nobody declared, too. */
export function splitValues(tool: FlowTool, values: readonly ArgumentValue[]): SplitValues {
  const sent: ArgumentValue[] = []
  const others: ArgumentValue[] = []
  for (const argument of values) {
    const { name, value } = argument
    if (isDeclared(name, tool) || isAddressList(value))
      sent.push(...toAddresses(value).map((one) => ({ name, value: one })))
    else {
      others.push(argument)
      sent.push(...findHeaders(value).map((one) => ({ name, value: one })))
    }
  }
  return { sent, others }
}

/** Services take `To` for `to`. */
export const isDeclared = (name: string, { destinations }: FlowTool): boolean =>
  destinations.includes(name) || destinations.some((known) => known.toLowerCase() === name.toLowerCase())

/** Whether a text has something by which mail, money or a request could be addressed. */
export const hasAddressSign = (text: string): boolean => /\S@\S|:\/\//.test(text)

const ACCOUNT = /^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,6}){2,8}$/u
const isAccount = (text: string): boolean => ACCOUNT.test(text.trim())
const isPhone = (text: string): boolean => /^\+\d[\d\s()./-]{6,20}$/.test(text.trim())

/** The addresses of a destination, each for itself. What has none is one destination. */
function toAddresses(value: string): string[] {
  if (isWholeAddress(value)) return [value]
  const addresses = findAddresses(value).filter((address) => hasAddressSign(address) || isAccount(address))
  if (addresses.length === 0) return [value]
  const rest = addresses.reduce((text, address) => text.replaceAll(address, ' '), value)
  return hasAddressSign(rest) ? [...addresses, rest.trim()] : addresses
}

const MAX_ENTRIES = 100
const MAX_NAME_WORDS = 3
const BRACKETED = /^(.{0,100}?)\s*[<([]\s*(\S+)\s*[>)\]]$/s
const NAMED = /^(.{0,100}?)\s*(\S+)$/s

/** Whether a value is nothing but addresses, accounts or telephone numbers, each with a name if there is one. */
function isAddressList(value: string): boolean {
  if (isWholeAddress(value) || isAccount(value) || isPhone(value)) return true
  if (!hasAddressSign(value)) return false
  const entries = value.split(/[,;\n]/, MAX_ENTRIES).map((entry) => entry.trim())
  const given = entries.filter((entry) => entry !== '')
  return given.some(isEntry) && given.every((entry) => isEntry(entry) || isName(entry))
}

function isEntry(entry: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(entry)) return true
  const [, name = '', address = ''] = BRACKETED.exec(entry) ?? NAMED.exec(entry) ?? []
  return isName(name) && /^[^\s@]+@[^\s@]+$/.test(address)
}

const isName = (text: string): boolean => !hasAddressSign(text) && toWords(text).length <= MAX_NAME_WORDS

const HEADER = /^[ \t]*(?:resent-)?(?:to|cc|bcc|reply-to)[ \t]*:(.*)$/gim
const MAX_HEADER_LINES = 4

/** The addresses behind a line break that a mail program may read as a header: `Hi\r\nBcc: eve@…` in a subject. */
function findHeaders(value: string): string[] {
  const lines = value.split(/\r\n|[\r\n]/, MAX_HEADER_LINES + 1)
  if (lines.length === 1 || lines.length > MAX_HEADER_LINES) return []
  return [...lines.slice(1).join('\n').matchAll(HEADER)].flatMap(([, tail = '']) => findAddresses(tail))
}
