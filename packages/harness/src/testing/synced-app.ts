import type { SyncEntry, SyncSource } from '../ports/sync-source.ts'

/** An app in memory that can be synced. */
export interface SyncedApp {
  readonly source: SyncSource
  /** What was asked for: a page by its cursor, an item by its id. */
  readonly asked: string[]
  /** Adds or changes an item. */
  write(id: string, fields?: Partial<SyncEntry>): void
  delete(id: string): void
  /** Called before each answer, with what was asked for. What it throws is the answer. */
  before: (asked: string) => unknown
}

interface SyncedAppOptions {
  readonly kind?: SyncSource['kind']
  readonly pageSize?: number
  /** Pages come without texts. */
  readonly readsEach?: boolean
  readonly isNewestFirst?: boolean
}

interface Kept {
  readonly entry: SyncEntry
  readonly order: number
}

/** An app that lists its items, or its changes, `pageSize` at a time. */
export function createSyncedApp({
  kind = 'changes',
  pageSize = 100,
  readsEach = false,
  isNewestFirst = false,
}: SyncedAppOptions = {}): SyncedApp {
  const items = new Map<string, Kept>()
  const gone = new Map<string, number>()
  const asked: string[] = []
  let order = 0

  function changesSince(cursor: string | undefined) {
    const since = Number(cursor ?? 0)
    const later = [
      ...[...items.values()].map(({ entry, order: at }) => ({ entry, id: entry.id, at })),
      ...[...gone].map(([id, at]) => ({ entry: undefined, id, at })),
    ]
      .filter(({ at }) => at > since)
      .toSorted((a, b) => a.at - b.at)
    const page = later.slice(0, pageSize)
    const end = String(page.at(-1)?.at ?? since)
    return {
      entries: page.flatMap(({ entry }) => (entry ? [shown(entry)] : [])),
      deleted: page.flatMap(({ entry, id }) => (entry ? [] : [id])),
      ...(page.length < later.length ? { next: end } : { resume: end }),
    }
  }

  function listFrom(cursor: string | undefined) {
    const begin = Number(cursor ?? 0)
    const all = [...items.values()].toSorted((a, b) =>
      isNewestFirst ? b.order - a.order : a.order - b.order,
    )
    const page = all.slice(begin, begin + pageSize)
    const end = begin + page.length
    return {
      entries: page.map(({ entry }) => shown(entry)),
      ...(end < all.length && { next: String(end) }),
    }
  }

  const shown = (entry: SyncEntry): SyncEntry => {
    const { text: _, ...rest } = entry
    return readsEach ? rest : entry
  }

  const app: SyncedApp = {
    asked,
    before: () => {},
    source: {
      kind,
      isNewestFirst,
      async page(cursor) {
        asked.push(`page ${cursor ?? 'first'}`)
        await app.before(`page ${cursor ?? 'first'}`)
        return kind === 'list' ? listFrom(cursor) : changesSince(cursor)
      },
      ...(readsEach && {
        async read({ id }) {
          asked.push(id)
          await app.before(id)
          return items.get(id)?.entry
        },
      }),
    },
    write(id, fields = {}) {
      const version = Number(items.get(id)?.entry.version ?? 0) + 1
      gone.delete(id)
      order++
      const entry = { id, version: String(version), title: `Page ${id}`, text: `Text ${version} of ${id}.` }
      items.set(id, { entry: { ...entry, ...fields }, order })
    },
    delete(id) {
      items.delete(id)
      gone.set(id, ++order)
    },
  }
  return app
}
