import type { ToolkitRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Connector } from '../../ports/connector.ts'
import type { Clock } from '../../turn/clock.ts'
import type { ConnectorSet } from '../connector-set.ts'
import type { CanUse } from '../guard-connector.ts'
import type { Accounts, FetchedApps } from './snapshot.ts'

/** What is needed to fetch apps. */
export interface FetchAppsOptions {
  readonly connectors: Pick<ConnectorSet, 'list'>
  readonly store: Pick<ConnectionStore, 'list' | 'scopes'>
  readonly clock: Clock
  /** Default: every app exists for every user. */
  readonly canUse?: CanUse
}

/**
 * Asks all connectors for their apps and the store for a user's connections. A connector that cannot be asked is
 * represented by its last list. Rejects when the store cannot be read.
 */
export type FetchApps = (userId: string) => Promise<FetchedApps>

/** A `FetchApps` that remembers the last list of each connector. */
export function createFetchApps({
  connectors,
  store,
  clock,
  canUse = () => true,
}: FetchAppsOptions): FetchApps {
  /** The last list of each connector. */
  const catalogues = new Map<string, readonly ToolkitRow[]>()

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

  return async (userId) => {
    const present = connectors.list()
    const [lists, accounts] = await Promise.all([
      Promise.all(present.map(listToolkits)),
      readAccounts(userId, store),
    ])
    const ids = new Set(present.map(({ id }) => id))
    return {
      toolkits: lists.flatMap(({ toolkits }) => toolkits.filter(({ slug }) => canUse(userId, slug))),
      accounts: {
        ...accounts,
        connections: accounts.connections.filter(
          ({ connector, toolkit }) => ids.has(connector) && canUse(userId, toolkit),
        ),
      },
      silent: present.filter((_, index) => !lists[index]!.isKnown).map(({ id }) => id),
      at: clock.now(),
    }
  }
}

async function readAccounts(userId: string, store: FetchAppsOptions['store']): Promise<Accounts> {
  const connections = await store.list(userId)
  const active = connections.filter(({ status }) => status === 'active').map(({ toolkit }) => toolkit)
  const scopes = await Promise.all(
    [...new Set(active)].map(async (toolkit) => [toolkit, await store.scopes(userId, toolkit)] as const),
  )
  return { connections, scopes: new Map(scopes) }
}
