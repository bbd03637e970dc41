import type { SyncEntry } from '@capstan/harness/memory'
import { isRecord } from '@capstan/harness/connectors'
import type { SyncMapping } from '@capstan/protocol'

const MILLISECONDS_FROM = 100_000_000_000

/** The value at a path such as `data.results`. Pure. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

/** An item as a mapping describes it. Undefined without an id. Pure. */
export function toEntry(value: unknown, fields: SyncMapping['fields']): SyncEntry | undefined {
  const id = textAt(value, fields.id)
  if (id === undefined || id === '') return undefined
  const version = textAt(value, fields.version)
  const at = timeAt(value, fields.at)
  const title = textAt(value, fields.title)
  const text = textAt(value, fields.text)
  const link = textAt(value, fields.link)
  const people = namesAt(value, fields.people)
  return {
    id,
    ...(version !== undefined && { version }),
    ...(at !== undefined && { at }),
    ...(title !== undefined && { title }),
    ...(text !== undefined && { text }),
    ...(link !== undefined && { link }),
    ...(people && { people }),
  }
}

/** The text or the number at a path, as text. Pure. */
export function textAt(value: unknown, path: string | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  return typeof found === 'number' ? String(found) : typeof found === 'string' ? found : undefined
}

function timeAt(value: unknown, path: string | undefined): number | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  const number = typeof found === 'string' && /^\d+(\.\d+)?$/.test(found) ? Number(found) : found
  if (typeof number === 'number') {
    return Math.round(number < MILLISECONDS_FROM ? number * 1000 : number)
  }
  const time = typeof found === 'string' ? Date.parse(found) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function namesAt(value: unknown, path: string | undefined): readonly string[] | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  const names: readonly unknown[] = Array.isArray(found) ? found : [found]
  const texts = names.filter((name) => typeof name === 'string')
  return texts.length > 0 ? texts : undefined
}
