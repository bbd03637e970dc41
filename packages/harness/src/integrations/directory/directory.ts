import { hash } from 'node:crypto'
import type { AppName, ConnectionRow, ConnectionStatus, ScopeSettings, ToolkitRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Connector } from '../../ports/connector.ts'
import type { Clock } from '../../turn/clock.ts'
import { systemClock } from '../../turn/clock.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { ConnectorSet } from '../connector-set.ts'
import { toSlug } from './toolkit-slug.ts'

/** Which apps there are for a user, and how each stands. */
export interface DirectorySnapshot {
  /** Over the connected toolkits and the ids of their connections, and nothing else. */
  readonly hash: string
  readonly toolkits: readonly ListedToolkit[]
  readonly at: number
  /** Apps that came while this process ran, oldest first. */
  readonly arrivals: readonly Arrival[]
  /** False when a connector could not be asked: what is missing may be there all the same. */
  readonly authoritative: boolean
}

interface Arrival {
  readonly slug: string
  readonly at: number
}

export interface ListedToolkit extends ToolkitRow {
  /** The active ones, the default first. */
  readonly connections: readonly ConnectionRow[]
  /** Of a connected one: how far the model may go in it. */
  readonly scopes?: ScopeSettings
  /** Without an active connection: the most telling of the others. */
  readonly standing?: { readonly status: ConnectionStatus; readonly reason?: string }
}

export const isConnected = ({ connections }: ListedToolkit): boolean => connections.length > 0

/** The app that is meant, if there is one of that name. */
export function nameApp(
  asked: unknown,
  snapshot: Pick<DirectorySnapshot, 'toolkits'> | undefined,
): AppName | undefined {
  const slug = typeof asked === 'string' ? toSlug(asked) : ''
  const app = snapshot?.toolkits.find((toolkit) => toolkit.slug === slug)
  return app && { toolkit: app.slug, name: sanitizeLine(app.name, 60) }
}

const MAX_ARRIVALS = 20

/** One source of truth per user. Unavailable is never "none". */
export interface Directory {
  /** What is known and not out of date, or nothing. Never waits. */
  peek(userId: string): DirectorySnapshot | undefined
  /** What was last known, however old. Never waits. */
  last(userId: string): DirectorySnapshot | undefined
  /** Why what is known may be out of date. The same object until a fetch works again. */
  problem(userId: string): { readonly reason: string } | undefined
  /** Fetches when it must; whoever comes meanwhile waits for the same fetch. Rejects when nothing can be said at all. */
  read(userId: string): Promise<DirectorySnapshot>
  /** What is known is out of date from here on; a fetch that is under way does not change that. */
  invalidate(userId: string): void
  /** The same for everybody, read anew for those it knew of; says who they are. Never rejects. */
  renew(): Promise<readonly string[]>
  /** Reads, so that the next `peek` finds something. Never throws. */
  warm(userId: string): Promise<void>
  /** Somebody goes by what was last known: once it is old it is read anew behind their back, at most once in its time. */
  touch(userId: string): void
}

interface Entry {
  snapshot?: DirectorySnapshot
  readAt: number
  /** When a fetch last began, whatever became of it. */
  triedAt: number
  isFresh: boolean
  /** Counts invalidations: a fetch that began before one is out of date when it ends. */
  generation: number
  problem?: { readonly reason: string }
  fetching?: { readonly generation: number; readonly promise: Promise<DirectorySnapshot> }
}

export function createDirectory(options: {
  readonly connectors: Pick<ConnectorSet, 'list'>
  readonly store: Pick<ConnectionStore, 'list' | 'scopes'>
  readonly ttlMs?: number
  readonly clock?: Clock
  /** Hears of every fetch, with the sources that could not be asked. */
  readonly onFetch?: (userId: string, failed: readonly string[]) => void
}): Directory {
  const { store, ttlMs = 60_000, clock = systemClock, onFetch } = options
  const entries = new Map<string, Entry>()
  /** What each connector last said, for when it cannot be asked. */
  const catalogues = new Map<string, readonly ToolkitRow[]>()

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
      // One that began later knows better.
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

  function note(userId: string, entry: Entry, failed: readonly string[], reason: string): void {
    onFetch?.(userId, failed)
    if (failed.length === 0) delete entry.problem
    else entry.problem ??= { reason }
  }

  async function fetchSnapshot(userId: string, entry: Entry): Promise<DirectorySnapshot> {
    const connectors = options.connectors.list()
    const [lists, accounts] = await Promise.all([
      Promise.all(connectors.map(listToolkits)),
      readAccounts(userId),
    ]).catch((error: unknown) => {
      note(userId, entry, ['store'], 'which accounts are connected could not be read')
      throw error
    })
    const silent = connectors.filter((_, index) => !lists[index]!.isKnown).map(({ id }) => id)
    const ids = new Set(connectors.map(({ id }) => id))
    const named = silent.map((id) => `"${id}"`).join(', ')
    note(userId, entry, silent, `${named} did not say which apps it has`)
    const toolkits = toListed(
      lists.flatMap(({ toolkits: listed }) => listed),
      { ...accounts, connections: accounts.connections.filter(({ connector }) => ids.has(connector)) },
      new Set(silent),
    )
    const authoritative = silent.length === 0
    const at = clock.now()
    const arrivals = arrivalsSince(entry.snapshot, toolkits, { at, authoritative })
    return { hash: hashOf(toolkits), toolkits, arrivals, at, authoritative }
  }

  async function readAccounts(userId: string): Promise<Accounts> {
    const connections = await store.list(userId)
    const scopes = new Map<string, ScopeSettings>()
    for (const { toolkit, status } of connections)
      if (status === 'active' && !scopes.has(toolkit))
        scopes.set(toolkit, await store.scopes(userId, toolkit))
    return { connections, scopes }
  }

  async function listToolkits(
    connector: Connector,
  ): Promise<{ toolkits: readonly ToolkitRow[]; isKnown: boolean }> {
    try {
      const toolkits = await connector.toolkits()
      catalogues.set(connector.id, toolkits)
      return { toolkits, isKnown: true }
    } catch {
      return { toolkits: catalogues.get(connector.id) ?? [], isKnown: false }
    }
  }

  return {
    peek,
    last: (userId) => entries.get(userId)?.snapshot,
    problem: (userId) => entries.get(userId)?.problem,
    read,
    invalidate(userId) {
      const entry = entryOf(userId)
      entry.isFresh = false
      entry.generation++
    },
    async renew() {
      for (const entry of entries.values()) {
        entry.isFresh = false
        entry.generation++
      }
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

interface Accounts {
  readonly connections: readonly ConnectionRow[]
  /** Of the toolkits with an active one. */
  readonly scopes: ReadonlyMap<string, ScopeSettings>
}

/** What was not there before, as far as that is certain. */
function arrivalsSince(
  before: DirectorySnapshot | undefined,
  toolkits: readonly ListedToolkit[],
  { at, authoritative }: Pick<DirectorySnapshot, 'at' | 'authoritative'>,
): readonly Arrival[] {
  if (!before?.authoritative || !authoritative) return before?.arrivals ?? []
  const known = new Set(before.toolkits.map(({ slug }) => slug))
  const come = toolkits.filter(({ slug }) => !known.has(slug)).map(({ slug }) => ({ slug, at }))
  return come.length === 0 ? before.arrivals : [...before.arrivals, ...come].slice(-MAX_ARRIVALS)
}

/**
 * Two of one name keep the first. A connection whose app is not listed is still the user's: it can be used when its
 * connector could not be asked, and it cannot when the app is gone.
 */
function toListed(
  toolkits: readonly ToolkitRow[],
  { connections, scopes: allowed }: Accounts,
  silent: ReadonlySet<string>,
): readonly ListedToolkit[] {
  const bySlug = new Map<string, ToolkitRow>()
  for (const toolkit of toolkits) if (!bySlug.has(toolkit.slug)) bySlug.set(toolkit.slug, toolkit)
  const gone = new Set<string>()
  for (const { toolkit: slug, connector } of connections) {
    if (bySlug.has(slug)) continue
    bySlug.set(slug, { slug, name: slug, description: '', connector, auth: 'oauth' })
    if (!silent.has(connector)) gone.add(slug)
  }
  return [...bySlug.values()].map((toolkit) => {
    if (gone.has(toolkit.slug)) return { ...toolkit, connections: [], standing: GONE }
    const own = connections.filter(
      (one) => one.toolkit === toolkit.slug && one.connector === toolkit.connector,
    )
    const active = own.filter(({ status }) => status === 'active')
    const standing = active.length === 0 ? mostTelling(own) : undefined
    const scopes = active.length === 0 ? undefined : allowed.get(toolkit.slug)
    return {
      ...toolkit,
      connections: active.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)),
      ...(scopes ? { scopes } : undefined),
      ...(standing ? { standing } : undefined),
    }
  })
}

const GONE = { status: 'disconnected', reason: 'It is no longer offered here.' } as const

const TELLING: readonly ConnectionStatus[] = ['expired', 'revoked', 'failed', 'pending']

function mostTelling(connections: readonly ConnectionRow[]): ListedToolkit['standing'] {
  for (const status of TELLING) {
    const found = connections.findLast((connection) => connection.status === status)
    if (found) return { status, ...(found.reason === undefined ? undefined : { reason: found.reason }) }
  }
  return undefined
}

function hashOf(toolkits: readonly ListedToolkit[]): string {
  const parts = toolkits
    .filter(isConnected)
    .map(({ slug, connections }) => [slug, connections.map(({ id }) => id).toSorted()] as const)
  return hash('sha1', JSON.stringify(parts.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}
