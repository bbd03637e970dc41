import type { Clock } from '../../turn/clock.ts'
import { systemClock } from '../../turn/clock.ts'
import type { FetchAppsOptions } from './fetch-apps.ts'
import { createFetchApps } from './fetch-apps.ts'
import type { DirectorySnapshot } from './snapshot.ts'
import { toSnapshot } from './snapshot.ts'

/** The one source of truth for the apps of each user. Unavailable is never "none". */
export interface Directory {
  /** What is known and not out of date, or undefined. Never waits. */
  peek(userId: string): DirectorySnapshot | undefined
  /** What was last known, however old. Never waits. */
  last(userId: string): DirectorySnapshot | undefined
  /** Why what is known may be out of date. The same object until a fetch works again. */
  problem(userId: string): { readonly reason: string } | undefined
  /** Fetches when it must. Callers at the same time share one fetch. Rejects when nothing is known. */
  read(userId: string): Promise<DirectorySnapshot>
  /** The users whose apps were asked for in this process. */
  users(): readonly string[]
  /** What is known is out of date from now on. A fetch in progress does not change that. */
  invalidate(userId: string): void
  /** Invalidates and reads the snapshots of all known users; answers with their ids. Never rejects. */
  renew(): Promise<readonly string[]>
  /** Reads, so that the next `peek` finds something. Never throws. */
  warm(userId: string): Promise<void>
  /** A turn uses what was last known. When that is old, it is read again in the background, once per `ttlMs`. */
  touch(userId: string): void
}

interface Entry {
  snapshot?: DirectorySnapshot
  readAt: number
  /** When a fetch last began, also one that failed. */
  triedAt: number
  isFresh: boolean
  /** Counts invalidations: a fetch that began before one is out of date when it ends. */
  generation: number
  problem?: { readonly reason: string }
  fetching?: { readonly generation: number; readonly promise: Promise<DirectorySnapshot> }
}

/** Options for a directory. */
export interface DirectoryOptions extends Omit<FetchAppsOptions, 'clock'> {
  /** How long a snapshot is trusted. Default a minute. */
  readonly ttlMs?: number
  readonly clock?: Clock
  /** Called after every fetch, with the sources that could not be asked. */
  readonly onFetch?: (userId: string, failed: readonly string[]) => void
}

/** A directory over these connectors and this store. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { ttlMs = 60_000, clock = systemClock, onFetch } = options
  const entries = new Map<string, Entry>()
  const fetchApps = createFetchApps({ ...options, clock })

  function entryOf(userId: string): Entry {
    let entry = entries.get(userId)
    if (!entry) {
      entry = { readAt: 0, triedAt: 0, isFresh: false, generation: 0 }
      entries.set(userId, entry)
    }
    return entry
  }

  function peek(userId: string): DirectorySnapshot | undefined {
    const entry = entries.get(userId)
    if (!entry?.isFresh || clock.monotonic() - entry.readAt >= ttlMs) return undefined
    return entry.snapshot
  }

  async function read(userId: string): Promise<DirectorySnapshot> {
    const known = peek(userId)
    if (known) return known
    const entry = entryOf(userId)
    if (entry.fetching?.generation === entry.generation) return entry.fetching.promise
    const { generation } = entry
    entry.triedAt = clock.monotonic()
    const promise = fetchSnapshot(userId, entry).then((snapshot) => {
      // A fetch that began later knows better.
      if (entry.fetching?.promise === promise) delete entry.fetching
      if (entry.generation !== generation) return read(userId)
      entry.snapshot = snapshot
      entry.readAt = clock.monotonic()
      entry.isFresh = snapshot.authoritative
      return snapshot
    })
    entry.fetching = { generation, promise }
    const forget = () => {
      if (entry.fetching?.promise === promise) delete entry.fetching
    }
    promise.then(forget, forget)
    return promise
  }

  async function fetchSnapshot(userId: string, entry: Entry): Promise<DirectorySnapshot> {
    const fetched = await fetchApps(userId).catch((error: unknown) => {
      note(userId, entry, ['store'], 'which accounts are connected could not be read')
      throw error
    })
    const named = fetched.silent.map((id) => `"${id}"`).join(', ')
    note(userId, entry, fetched.silent, `${named} did not say which apps it has`)
    return toSnapshot(fetched, entry.snapshot)
  }

  function note(userId: string, entry: Entry, failed: readonly string[], reason: string): void {
    onFetch?.(userId, failed)
    if (failed.length === 0) delete entry.problem
    else entry.problem ??= { reason }
  }

  return {
    peek,
    last: (userId) => entries.get(userId)?.snapshot,
    problem: (userId) => entries.get(userId)?.problem,
    read,
    users: () => [...entries.keys()],
    invalidate(userId) {
      const entry = entries.get(userId)
      if (entry) expire(entry)
    },
    async renew() {
      for (const entry of entries.values()) expire(entry)
      const userIds = [...entries.keys()]
      await Promise.all(userIds.map((userId) => read(userId).catch(() => {})))
      return userIds
    },
    async warm(userId) {
      await read(userId).catch(() => {})
    },
    touch(userId) {
      const entry = entries.get(userId)
      if (!entry?.snapshot || clock.monotonic() - entry.triedAt < ttlMs) return
      void read(userId).catch(() => {})
    },
  }
}

function expire(entry: Entry): void {
  entry.isFresh = false
  entry.generation++
}
