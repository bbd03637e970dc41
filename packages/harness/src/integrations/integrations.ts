import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { ConnectionStore } from '../ports/connection-store.ts'
import type { Connector } from '../ports/connector.ts'
import type { BusEvent, EventBus } from '../ports/event-bus.ts'
import { createMemoryEventBus } from '../ports/memory/memory-event-bus.ts'
import type { ToolSource } from '../seams/seams.ts'
import type { Asker } from '../turn/asker.ts'
import type { Clock } from '../turn/clock.ts'
import { quietClock } from '../turn/clock.ts'
import type { Tool } from '../turn/tool.ts'
import { createAppTools } from './app-tools.ts'
import { createConnectApp } from './connect-app.ts'
import type { Connections } from './connections.ts'
import { createConnections } from './connections.ts'
import { createConnectorSet } from './connector-set.ts'
import type { Directory } from './directory.ts'
import { createDirectory } from './directory.ts'
import type { ToolkitMode } from './integrations-agent.ts'
import { createIntegrationsAgent } from './integrations-agent.ts'
import type { IntegrationsCounts, RefreshFailure } from './refresh-failure.ts'

/** How long the first turn of a cold process waits to learn which apps there are. It goes on without them then. */
const COLD_START_MS = 3_000

export interface IntegrationsOptions {
  readonly connectors: readonly Connector[]
  readonly store: ConnectionStore
  readonly bus?: EventBus
  /** How the orchestrator is told which toolkits it may name. Default `constant`. */
  readonly mode?: ToolkitMode
  /** How long the directory trusts what it read. Default a minute. */
  readonly ttlMs?: number
  /** How long a sign-in is waited for; it may still be made later. Default a day. */
  readonly signInTimeoutMs?: number
  /** Hears each time something could not be asked; the counts are in `counts()`. */
  readonly onRefreshFailure?: (failure: RefreshFailure) => void
  /** Where large results of apps lie: the same place as the agent's own, in its `safety`. */
  readonly artifacts?: ArtifactStore
  /** Who answers questions about them, such as `createAsker(model)`. */
  readonly ask?: Asker
  readonly clock?: Clock
}

/** The apps of all users, and what an agent needs to work with them. */
export interface Integrations {
  readonly directory: Directory
  readonly connections: Connections
  readonly bus: EventBus
  /** For the options of a session or of threads: the apps of one user, beside tools of the caller's own. */
  forUser(userId: string, tools?: readonly Tool[]): UserApps
  /** Somebody opened a thread, or began to type. Never throws, and nobody has to wait for it. */
  prewarm(userId: string): Promise<void>
  /** Its apps can be used by running turns, too. Rejects with a `ConfigurationError` for an id that is taken. */
  addConnector(connector: Connector): Promise<void>
  /** Closes it. Connections made through it are kept, and cannot be used. False when there is none. */
  removeConnector(id: string): Promise<boolean>
  /** What was asked for and what failed, for a server's metrics. */
  counts(): IntegrationsCounts
  close(): Promise<void>
}

export interface UserApps {
  readonly tools: ToolSource
  readonly agents: readonly AgentDefinition[]
  /** Before a conversation begins: at once when the directory is warm, one fetch when it is not. */
  readonly ready: () => void | Promise<void>
}

export function createIntegrations(options: IntegrationsOptions): Integrations {
  const { store, mode = 'constant', clock = quietClock } = options
  const bus = options.bus ?? createMemoryEventBus()
  const connectors = createConnectorSet(options.connectors, () => void toolkitsChanged())
  const counts = { refreshes: 0, refreshFailures: 0, actionLists: 0, actionListFailures: 0 }
  const tellFailure = (failure: RefreshFailure): void => {
    try {
      options.onRefreshFailure?.(failure)
    } catch {
      // Its own business.
    }
  }
  const directory = createDirectory({
    connectors,
    store,
    clock,
    onFetch(userId, failed) {
      counts.refreshes++
      counts.refreshFailures += failed.length
      for (const source of failed) tellFailure({ what: 'apps', userId, source })
    },
    ...(options.ttlMs === undefined ? undefined : { ttlMs: options.ttlMs }),
  })
  /** What was published here: the directory knew it before. */
  const ours = new WeakSet<BusEvent>()
  const publish = (event: BusEvent): void => {
    ours.add(event)
    bus.publish(event)
  }
  const connections = createConnections({
    connectors,
    store,
    directory,
    publish,
    clock,
    ...(options.signInTimeoutMs === undefined ? undefined : { signInTimeoutMs: options.signInTimeoutMs }),
  })

  const stopHearing = bus.subscribe((event) => {
    if (ours.has(event)) return
    // It happened on another node: ours reads it where everybody writes it.
    directory.invalidate(event.userId)
    if (directory.last(event.userId)) void directory.warm(event.userId)
  })

  let renewing: Promise<void> | undefined

  /** Several at once are one: whoever comes while the first has not begun to read is served by it. */
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
    bus,
    forUser(userId, tools = []) {
      const connectApp = createConnectApp({ userId, directory, connections, bus })
      return {
        tools: createAppTools(directory, userId, [...tools, connectApp]),
        agents: [
          createIntegrationsAgent({
            ...options,
            connectors,
            userId,
            directory,
            connections,
            mode,
            onActions(failure) {
              counts.actionLists++
              if (!failure) return
              counts.actionListFailures++
              tellFailure({ what: 'actions', userId, ...failure })
            },
          }),
        ],
        ready() {
          if (directory.peek(userId)) return
          return within(COLD_START_MS, directory.warm(userId), clock)
        },
      }
    },
    async addConnector(connector) {
      connectors.add(connector)
      await toolkitsChanged()
    },
    async removeConnector(id) {
      const removed = await connectors.remove(id)
      if (removed) await toolkitsChanged()
      return removed
    },
    counts: () => ({ ...counts }),
    prewarm: (userId) => directory.warm(userId),
    async close() {
      stopHearing()
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
