import type { ConnectionRow } from '@capstan/protocol'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { ConnectionStore } from '../ports/connection-store.ts'
import type { Connector } from '../ports/connector.ts'
import type { BusEvent, EventBus } from '../ports/event-bus.ts'
import type { Locks } from '../ports/locks.ts'
import { createMemoryEventBus } from '../ports/memory/memory-event-bus.ts'
import { createMemoryLocks } from '../ports/memory/memory-locks.ts'
import type { AppWatch } from '../ports/app-watch.ts'
import type { SyncSource } from '../ports/sync-source.ts'
import type { ToolSource } from '../seams/seams.ts'
import type { Asker } from '../turn/asker.ts'
import type { Clock } from '../turn/clock.ts'
import { quietClock } from '../turn/clock.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { createAppTools } from './app-tools.ts'
import { createChangedElsewhere } from './changed-elsewhere.ts'
import { createConnectApp } from './connect-app.ts'
import type { Connections } from './connections/connections.ts'
import { createConnections } from './connections/connections.ts'
import { createConnectorSet } from './connector-set.ts'
import type { Directory } from './directory/directory.ts'
import type { CanUse } from './guard-connector.ts'
import { createDirectory } from './directory/directory.ts'
import type { ToolkitMode } from './agent/integrations-agent.ts'
import type { OpenAppOptions } from './agent/open-app.ts'
import { createDirectCalls } from './direct/direct-calls.ts'
import { createIntegrationsAgent } from './agent/integrations-agent.ts'
import type { AppActions } from './list-actions.ts'
import { createAppActions } from './list-actions.ts'
import type { IntegrationsCounts, RefreshFailure } from './refresh-counts.ts'
import { createRefreshCounts } from './refresh-counts.ts'

/** How long the first turn of a cold process waits for the list of apps. After that it goes on without them. */
const COLD_START_MS = 3_000

/** Options for the integrations. */
export interface IntegrationsOptions {
  readonly connectors: readonly Connector[]
  readonly store: ConnectionStore
  /** Whether an app exists for a user. Default: every app exists for every user. */
  readonly canUse?: CanUse
  readonly bus?: EventBus
  /** Of nodes that share the store. Default: this process is alone. */
  readonly locks?: Locks
  /** How the orchestrator learns which toolkits it may name. Default `constant`. */
  readonly mode?: ToolkitMode
  /** How long the directory trusts what it read. Default a minute. */
  readonly ttlMs?: number
  /** How long a connector has for one answer; for its list of apps and a sign-in eight times as long. Default 15 s. */
  readonly answerTimeoutMs?: number
  /** How long a turn waits for a sign-in. The person may still sign in later. Default a day. */
  readonly signInTimeoutMs?: number
  /** Called each time a source could not be asked. The counts are in `counts()`. */
  readonly onRefreshFailure?: (failure: RefreshFailure) => void
  /** Where large results of apps are kept: the same place as the agent's own, in its `safety`. */
  readonly artifacts?: ArtifactStore
  /** Answers questions about them, such as `createAsker(model)`. */
  readonly ask?: Asker
  readonly clock?: Clock
}

/** The apps of all users, and what an agent needs to work with them. */
export interface Integrations {
  readonly directory: Directory
  readonly connections: Connections
  readonly actions: AppActions
  readonly bus: EventBus
  /** The apps of one user beside the caller's own tools, for the options of a session or of threads. */
  forUser(userId: string, tools?: readonly Tool[]): UserApps
  /** Reads the apps of a user ahead of time, when a thread is opened or a message is typed. Never throws. */
  prewarm(userId: string): Promise<void>
  /** What a sync of a connection reads. Undefined when its app offers nothing to sync, or is not set up. */
  syncSource(connection: ConnectionRow): SyncSource | undefined
  /** Listens to the app of a connection. Undefined when it tells of no changes, or is not set up. */
  watch(connection: ConnectionRow): AppWatch | undefined
  /** Running turns can use its apps, too. Rejects with a `ConfigurationError` for an id that is taken. */
  addConnector(connector: Connector): Promise<void>
  /** Closes it. Connections made through it are kept, and cannot be used. False when there is none. */
  removeConnector(id: string): Promise<boolean>
  /**
   * Another node that shares the store changed something of one user: the directory reads it from the store, then the
   * events are published. What this process holds for changed connections is let go. Never rejects.
   */
  changedElsewhere(userId: string, events: readonly BusEvent[]): Promise<void>
  /** How much was asked for and how much failed, for a server's metrics. */
  counts(): IntegrationsCounts
  close(): Promise<void>
}

/** The apps of one user, for a session. */
export interface UserApps {
  readonly tools: ToolSource
  readonly agents: readonly AgentDefinition[]
  /** Called before a conversation begins. Immediate when the directory is warm, one fetch when it is not. */
  readonly ready: () => void | Promise<void>
}

/** Integrations over these connectors and this store. */
export function createIntegrations(options: IntegrationsOptions): Integrations {
  const { store, mode = 'constant', clock = quietClock, canUse } = options
  const access = canUse ? { canUse } : undefined
  const bus = options.bus ?? createMemoryEventBus()
  const connectors = createConnectorSet(options.connectors, () => void toolkitsChanged(), {
    clock,
    canUse,
    answerTimeoutMs: options.answerTimeoutMs,
  })
  const counts = createRefreshCounts(options.onRefreshFailure)
  const directory = createDirectory({
    connectors,
    store,
    clock,
    ...access,
    onFetch: (userId, failed) => counts.appsFetched(userId, failed),
    ...(options.ttlMs === undefined ? undefined : { ttlMs: options.ttlMs }),
  })
  const publish = (event: BusEvent): void => bus.publish(event)
  const connections = createConnections({
    connectors,
    store,
    directory,
    publish,
    locks: options.locks ?? createMemoryLocks(),
    clock,
    ...access,
    onCheckFailure: (connection) => counts.checkFailed(connection),
    ...(options.signInTimeoutMs === undefined ? undefined : { signInTimeoutMs: options.signInTimeoutMs }),
  })

  let renewing: Promise<void> | undefined

  /** Several changes at once cause one renewal: those before it begins to read are covered by it. */
  function toolkitsChanged(): Promise<void> {
    renewing ??= Promise.resolve().then(async () => {
      renewing = undefined
      for (const userId of await directory.renew()) publish({ type: 'toolkits-changed', userId })
    })
    return renewing
  }

  return {
    directory,
    connections,
    actions: createAppActions({ connectors, store, directory }),
    bus,
    forUser(userId, tools = []) {
      const connectApp = createConnectApp({ userId, directory, connections, bus })
      const onActions: OpenAppOptions['onActions'] = (failure) => counts.actionsListed(userId, failure)
      const apps = { connectors, store, userId, directory, connections, onActions }
      const direct = createDirectCalls(apps)
      return {
        tools: createAppTools(directory, userId, [...tools, connectApp, ...direct.tools], direct.prepare),
        agents: [createIntegrationsAgent({ ...options, ...apps, mode })],
        ready() {
          if (directory.peek(userId)) return
          return within(COLD_START_MS, directory.warm(userId), clock)
        },
      }
    },
    syncSource: (connection) => connectors.get(connection.connector)?.syncSource?.(connection),
    watch: (connection) => connectors.get(connection.connector)?.watch?.(connection),
    async addConnector(connector) {
      connectors.add(connector)
      await toolkitsChanged()
    },
    async removeConnector(id) {
      const removed = await connectors.remove(id)
      if (removed) await toolkitsChanged()
      return removed
    },
    changedElsewhere: createChangedElsewhere({ connectors, directory, connections, publish }),
    counts: () => counts.read(),
    prewarm: (userId) => directory.warm(userId),
    async close() {
      connections.close()
      await connectors.close()
    },
  }
}

function within(ms: number, work: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    void work.then(() => {
      cancel()
      resolve()
    })
  })
}
