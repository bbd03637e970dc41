import type { JsonObject } from '@capstan/harness/seams'
import type { SyncSource } from '@capstan/harness/memory'
import type { SyncMapping } from '@capstan/protocol'
import { boundEntry, boundPage } from './bound-page.ts'
import { createCursorTrail } from './cursor-trail.ts'
import { textAt, toEntry, valueAt } from './read-fields.ts'

/** Calls an action and answers with its data, or with its text when that is no JSON. Rejects when it fails. */
export type CallForData = (action: string, args: JsonObject, signal: AbortSignal) => Promise<unknown>

/** A sync source out of a list and a read action of an app. */
export function createMappedSource({ list, read, fields }: SyncMapping, call: CallForData): SyncSource {
  const trail = createCursorTrail()
  const fetchList = async (cursor: string | undefined, signal: AbortSignal) => {
    const at = list.cursor !== undefined && cursor !== undefined ? { [list.cursor]: cursor } : {}
    const answer = await call(list.action, { ...(list.args as JsonObject | undefined), ...at }, signal)
    const items = valueAt(answer, list.items)
    // Without a list, nothing is known: it is never taken for an empty one, which would delete everything.
    if (!Array.isArray(items)) throw new Error(`${list.action} answered without a list at "${list.items}"`)
    return { answer, items: items as readonly unknown[] }
  }
  return {
    kind: 'list',
    isNewestFirst: list.isNewestFirst === true,
    async expect(signal) {
      const { answer, items } = await fetchList(undefined, signal)
      const next = textAt(answer, list.next)
      const total = next === undefined ? items.length : Number(textAt(answer, list.total) ?? Number.NaN)
      if (!Number.isSafeInteger(total) || items.length === 0) return undefined
      const pages = Math.ceil(total / items.length)
      return { items: total, requests: pages + (read ? total : 0) }
    },
    async page(cursor, signal) {
      const { answer, items } = await fetchList(cursor, signal)
      const next = list.cursor === undefined ? undefined : textAt(answer, list.next)
      // A cursor that leads to itself would never end.
      const hasNext = next !== undefined && next !== '' && next !== cursor
      return boundPage({
        entries: items.map((item) => toEntry(item, fields)).filter((entry) => entry !== undefined),
        ...(hasNext && { next: trail.follow(cursor, next) }),
      })
    },
    ...(read && {
      async read(entry, signal) {
        const answer = await call(read.action, { [read.id]: entry.id }, signal)
        if (typeof answer === 'string') return boundEntry({ ...entry, text: answer })
        const item = read.item === undefined ? answer : valueAt(answer, read.item)
        const whole = toEntry(item, fields)
        if (!whole) throw new Error(`${read.action} answered without the item`)
        // The server cannot answer with another item.
        return boundEntry({ ...entry, ...whole, id: entry.id })
      },
    }),
  }
}
