import type { SyncEntry } from '@capstan/harness/memory'
import { isRecord } from '@capstan/harness/connectors'
import type { SyncMapping } from '@capstan/protocol'

const MILLISECONDS_FROM = 100_000_000_000

const MOST_PLACES = 1_000

/** The value at a path such as `data.results`; with `*` in it, the list of all values that it leads to. Pure. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '.') return value
  const names = path.split('.')
  let found: readonly unknown[] = [value]
  for (const name of names) {
    found = found.flatMap((one) => (name === '*' ? placesOf(one) : fieldOf(one, name))).slice(0, MOST_PLACES)
  }
  return names.includes('*') ? found : found[0]
}

const placesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []

/** The value in a list, so that a list in a field stays one value. */
const fieldOf = (value: unknown, name: string): readonly unknown[] =>
  isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []

/** An item as a mapping describes it. Undefined without an id, unless it is known. Pure. */
export function toEntry(
  value: unknown,
  fields: SyncMapping['fields'],
  knownId?: string,
): SyncEntry | undefined {
  const id = knownId ?? textAt(value, fields.id)
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

/** The text or the number at a path, as text; the texts of a list, joined. Pure. */
export function textAt(value: unknown, path: string | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  if (Array.isArray(found)) {
    const texts = found.filter((one) => typeof one === 'string')
    return texts.length === 0 ? undefined : texts.join('')
  }
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
