import { ConfigurationError } from '@capstan/harness'
import { isRecord } from '@capstan/harness/connectors'
import type { SyncMapping } from '@capstan/protocol'

const MOST_CHARS = 200
const MOST_ARGS_CHARS = 4_000

type Kind = 'text' | 'flag' | 'args' | 'count'
type Shape = Readonly<Record<string, { readonly kind: Kind; readonly isNeeded?: boolean }>>

const NEEDED = { kind: 'text', isNeeded: true } as const
const TEXT = { kind: 'text' } as const

const LIST: Shape = {
  action: NEEDED,
  args: { kind: 'args' },
  cursor: TEXT,
  items: NEEDED,
  next: TEXT,
  pages: TEXT,
  mostPages: { kind: 'count' },
  total: TEXT,
  isNewestFirst: { kind: 'flag' },
}
const READ: Shape = { action: NEEDED, id: NEEDED, item: TEXT }
const FIELDS: Shape = {
  id: NEEDED,
  version: TEXT,
  at: TEXT,
  title: TEXT,
  text: TEXT,
  link: TEXT,
  people: TEXT,
}

/** A mapping that a person wrote. Throws a `ConfigurationError` that names the field, such as `sync.list.action`. Pure. */
export function checkMapping(value: unknown, field = 'sync'): SyncMapping {
  const mapping = checkObject(value, field, ['list', 'read', 'fields'])
  checkShape(mapping['list'], `${field}.list`, LIST)
  if (mapping['read'] !== undefined) checkShape(mapping['read'], `${field}.read`, READ)
  checkShape(mapping['fields'], `${field}.fields`, FIELDS)
  const { list, read, fields } = value as SyncMapping
  const leads = [list.next, list.pages].filter((path) => path !== undefined).length
  if (leads !== (list.cursor === undefined ? 0 : 1)) {
    throw new ConfigurationError(
      `${field}.list`,
      'needs "cursor" together with either "next" or "pages", or none of them',
    )
  }
  if (!read && fields.text === undefined && fields.title === undefined) {
    throw new ConfigurationError(`${field}.fields`, 'needs "text" or "title", or an action in "read"')
  }
  return value as SyncMapping
}

function checkObject(value: unknown, field: string, names: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) throw new ConfigurationError(field, 'must be an object')
  const stray = Object.keys(value).find((name) => !names.includes(name))
  if (stray !== undefined) {
    throw new ConfigurationError(
      field,
      `has the unknown field "${stray.slice(0, 40)}"; known are ${names.join(', ')}`,
    )
  }
  return value
}

function checkShape(value: unknown, field: string, shape: Shape): void {
  const found = checkObject(value, field, Object.keys(shape))
  for (const [name, { kind, isNeeded = false }] of Object.entries(shape)) {
    if (found[name] === undefined && !isNeeded) continue
    CHECKS[kind](found[name], `${field}.${name}`)
  }
}

const CHECKS: Readonly<Record<Kind, (value: unknown, field: string) => void>> = {
  text(value, field) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > MOST_CHARS) {
      throw new ConfigurationError(field, `must be a text of 1 to ${MOST_CHARS} characters`)
    }
  },
  flag(value, field) {
    if (typeof value !== 'boolean') throw new ConfigurationError(field, 'must be true or false')
  },
  count(value, field) {
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw new ConfigurationError(field, 'must be a number from 1 on')
  },
  args(value, field) {
    if (!isRecord(value)) throw new ConfigurationError(field, 'must be an object')
    if (JSON.stringify(value).length > MOST_ARGS_CHARS) {
      throw new ConfigurationError(field, `must have at most ${MOST_ARGS_CHARS} characters`)
    }
  },
}
