import type { BusEvent, EventBus, Integrations } from '@capstan/harness/integrations'
import type { ConnectionStore } from '@capstan/harness/stores'
import type { Bell } from '@capstan/stores/postgres'
import { createMergedWork } from './merged-work.ts'
import { readChanges } from './read-changes.ts'

/** Connections, scopes and toolkits across nodes that share a store. */
export interface ConnectionBridge {
  /** The changes of all nodes: for screens and running turns. */
  readonly bus: EventBus
  /** Only what this node changed: for what must happen once, such as waking a parked turn. */
  readonly own: EventBus
  close(): void
}

export interface ConnectionBridgeOptions {
  readonly integrations: Integrations
  /** The store that all nodes share. */
  readonly store: Pick<ConnectionStore, 'get' | 'list' | 'scopes'>
  readonly bell: Bell
  readonly onProblem: (problem: unknown) => void
}

// What is rung: the id of a connection, a user and a toolkit, nothing.
const CONNECTION = 'connection'
const SCOPES = 'scopes'
const TOOLKITS = 'toolkits'

/** How many users are read at the same time after a gap. */
const READERS = 8

/**
 * Tells other nodes what changed here, without contents, and takes over what changed there: the rows are read from the
 * store, the directory is brought up to date, and then the event is published here. It is not rung again.
 */
export function createConnectionBridge(options: ConnectionBridgeOptions): ConnectionBridge {
  const { integrations, store, bell } = options
  const { bus, directory } = integrations
  const elsewhere = new WeakSet<BusEvent>()
  const merge = createMergedWork(options.onProblem)

  async function takeOver(userId: string, events: readonly BusEvent[]): Promise<void> {
    for (const event of events) elsewhere.add(event)
    await integrations.changedElsewhere(userId, events)
  }

  async function takeOverConnection(id: string): Promise<void> {
    const connection = await store.get(id)
    if (!connection) return
    const { userId } = connection
    await takeOver(userId, [{ type: 'connections-changed', userId, connection }])
  }

  async function takeOverScopes(id: string): Promise<void> {
    const [userId, toolkit] = JSON.parse(id) as [string, string]
    const scopes = await store.scopes(userId, toolkit)
    await takeOver(userId, [{ type: 'scopes-changed', userId, toolkit, scopes }])
  }

  /** Reads the apps of all users who are known here again. */
  async function takeOverAll(read: (userId: string) => Promise<readonly BusEvent[]>): Promise<void> {
    const users = directory.users()
    for (const userId of users) directory.invalidate(userId)
    const rest = users.values()
    const readRest = async () => {
      for (const userId of rest)
        await read(userId)
          .then((events) => takeOver(userId, events))
          .catch(options.onProblem)
    }
    await Promise.all(Array.from({ length: READERS }, readRest))
  }
  const takeOverToolkits = () => takeOverAll(async (userId) => [{ type: 'toolkits-changed', userId }])
  const readAgain = () => takeOverAll((userId) => readChanges(userId, directory, store))

  const stops = [
    bus.subscribe((event) => {
      if (!elsewhere.has(event)) ring(event, bell)
    }),
    bell.on(CONNECTION, (id) => merge(`${CONNECTION} ${id}`, () => takeOverConnection(id))),
    bell.on(SCOPES, (id) => merge(`${SCOPES} ${id}`, () => takeOverScopes(id))),
    bell.on(TOOLKITS, () => merge(TOOLKITS, takeOverToolkits)),
    bell.onGap(() => merge('gap', readAgain)),
  ]

  return {
    bus,
    own: {
      publish: (event) => bus.publish(event),
      subscribe: (listener) =>
        bus.subscribe((event) => {
          if (!elsewhere.has(event)) listener(event)
        }),
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}

function ring(event: BusEvent, bell: Bell): void {
  switch (event.type) {
    case 'connections-changed':
      return bell.ring(CONNECTION, event.connection.id)
    case 'scopes-changed':
      return bell.ring(SCOPES, JSON.stringify([event.userId, event.toolkit]))
    // One for all users of this node.
    case 'toolkits-changed':
      return bell.ring(TOOLKITS, '')
  }
}
