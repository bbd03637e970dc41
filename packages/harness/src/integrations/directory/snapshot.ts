import { hash } from 'node:crypto'
import type { AppName, ConnectionRow, ConnectionStatus, ScopeSettings, ToolkitRow } from '@capstan/protocol'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import { toSlug } from './toolkit-slug.ts'

/** The apps of a user, and the state of each. */
export interface DirectorySnapshot {
  /** Of the connected toolkits and the ids of their connections. */
  readonly hash: string
  readonly toolkits: readonly ListedToolkit[]
  readonly at: number
  /** Apps that were added while this process ran, oldest first. */
  readonly arrivals: readonly Arrival[]
  /** False when a connector could not be asked: an app that is missing here may exist. */
  readonly authoritative: boolean
}

/** An app that was added. */
export interface Arrival {
  readonly slug: string
  readonly at: number
}

/** A toolkit with the user's connections to it. */
export interface ListedToolkit extends ToolkitRow {
  /** The active ones, the default first. */
  readonly connections: readonly ConnectionRow[]
  /** What the model may do in it. Set for a connected toolkit. */
  readonly scopes?: ScopeSettings
  /** The status that explains best why it is not connected. Set without an active connection. */
  readonly standing?: { readonly status: ConnectionStatus; readonly reason?: string }
}

/** Whether the user has an active connection to it. */
export const isConnected = ({ connections }: ListedToolkit): boolean => connections.length > 0

/** Whether the user has several active connections to it. */
export const hasSeveralAccounts = ({ connections }: ListedToolkit): boolean => connections.length > 1

/** The app of this name, if there is one. Pure. */
export function nameApp(
  asked: unknown,
  snapshot: Pick<DirectorySnapshot, 'toolkits'> | undefined,
): AppName | undefined {
  const slug = typeof asked === 'string' ? toSlug(asked) : ''
  const app = snapshot?.toolkits.find((toolkit) => toolkit.slug === slug)
  return app && { toolkit: app.slug, name: sanitizeLine(app.name, 60) }
}

const MAX_ARRIVALS = 20

/** What one fetch found. */
export interface FetchedApps {
  readonly toolkits: readonly ToolkitRow[]
  readonly accounts: Accounts
  /** Connectors that could not be asked. */
  readonly silent: readonly string[]
  readonly at: number
}

/** Makes a snapshot of what was fetched. `before` is the snapshot it replaces. Pure. */
export function toSnapshot(
  { toolkits: listed, accounts, silent, at }: FetchedApps,
  before: DirectorySnapshot | undefined,
): DirectorySnapshot {
  const toolkits = toListed(listed, accounts, new Set(silent))
  const authoritative = silent.length === 0
  const arrivals = arrivalsSince(before, toolkits, { at, authoritative })
  return { hash: hashOf(toolkits), toolkits, arrivals, at, authoritative }
}

/** A user's connections. */
export interface Accounts {
  readonly connections: readonly ConnectionRow[]
  /** Of the toolkits with an active connection. */
  readonly scopes: ReadonlyMap<string, ScopeSettings>
}

/** Apps that were not listed before. None when either list may be incomplete. */
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
 * Of two toolkits with one slug the first is kept. A connection whose app is not listed is still the user's: it can be used
 * when its connector could not be asked, and not when the app is gone.
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
    const standing = active.length === 0 ? mostRelevant(own) : undefined
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

const BY_RELEVANCE: readonly ConnectionStatus[] = ['expired', 'revoked', 'failed', 'pending']

function mostRelevant(connections: readonly ConnectionRow[]): ListedToolkit['standing'] {
  for (const status of BY_RELEVANCE) {
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
