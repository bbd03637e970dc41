import { isRecord } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import type { SyncEntry, SyncSource } from '@capstan/harness/memory'
import type { SyncMapping } from '@capstan/protocol'
import { boundEntry, boundPage, toDigest } from './bound-page.ts'
import { createCursorTrail } from './cursor-trail.ts'
import { textAt, toEntry, valueAt } from './read-fields.ts'

/** Calls an action and answers with its data, or with its text when that is no JSON. Rejects when it fails. */
export type CallForData = (action: string, args: JsonObject, signal: AbortSignal) => Promise<unknown>

/** A sync source out of a list and a read action of an app. */
export function createMappedSource(mapping: SyncMapping, call: CallForData): SyncSource {
  const { list, read, fields } = mapping
  const trail = createCursorTrail()

  const fetchList = async (cursor: string | undefined, signal: AbortSignal) => {
    const at = list.cursor !== undefined && cursor !== undefined ? { [list.cursor]: cursor } : {}
    const answer = await call(list.action, { ...(list.args as JsonObject | undefined), ...at }, signal)
    const items = valueAt(answer, list.items)
    // Without a list, nothing is known: it is never taken for an empty one, which would delete everything.
    if (!Array.isArray(items)) throw new Error(`${list.action} answered without a list at "${list.items}"`)
    return { answer, items: items as readonly unknown[], ...nextOf(list, answer, cursor) }
  }

  return {
    kind: 'list',
    isNewestFirst: list.isNewestFirst === true,
    key: toDigest(JSON.stringify(mapping)),
    async expect(signal) {
      const { answer, items, next } = await fetchList(undefined, signal)
      const total = next === undefined ? items.length : Number(textAt(answer, list.total) ?? Number.NaN)
      if (!Number.isSafeInteger(total) || items.length === 0) return undefined
      const pages = Math.ceil(total / items.length)
      return { items: total, requests: pages + (read ? total : 0) }
    },
    async page(cursor, signal) {
      const { items, next, isPartial } = await fetchList(cursor, signal)
      const entries = items.map((item) => toEntry(item, fields)).filter((entry) => entry !== undefined)
      return boundPage({
        entries: read ? entries : entries.map(withVersion),
        ...(next !== undefined && { next: trail.follow(cursor, next) }),
        ...(isPartial && { isPartial }),
      })
    },
    ...(read && {
      async read(entry, signal) {
        const answer = await call(read.action, { [read.id]: entry.id }, signal)
        if (typeof answer === 'string') return boundEntry(withVersion({ ...entry, text: answer }))
        const item = read.item === undefined ? answer : valueAt(answer, read.item)
        // The app cannot answer with another item.
        const whole = isRecord(item) ? toEntry(item, fields, entry.id) : undefined
        if (whole?.text === undefined && whole?.title === undefined)
          throw new Error(`${read.action} answered without the item`)
        return boundEntry(withVersion({ ...entry, ...whole }))
      },
    }),
  }
}

/** The cursor of the next page. `isPartial`: the app has more, and does not show it. */
function nextOf(
  { cursor: argument, next: path, pages, mostPages }: SyncMapping['list'],
  answer: unknown,
  cursor: string | undefined,
): { readonly next?: string; readonly isPartial?: true } {
  if (argument === undefined) return {}
  if (pages === undefined) {
    const next = textAt(answer, path)
    // A cursor that leads to itself would never end.
    return next !== undefined && next !== '' && next !== cursor ? { next } : {}
  }
  const here = Number(cursor ?? 1)
  const isLast = !(here < Number(textAt(answer, pages) ?? 0))
  if (isLast) return {}
  return mostPages !== undefined && here >= mostPages ? { isPartial: true } : { next: String(here + 1) }
}

/** For apps that do not name the versions of their items. */
function withVersion(entry: SyncEntry): SyncEntry {
  const { version, title = '', text } = entry
  return version !== undefined || text === undefined ? entry : { ...entry, version: toDigest(title, text) }
}
