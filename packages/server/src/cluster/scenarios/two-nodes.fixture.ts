import type { Connector } from '@capstan/harness/connectors'
import type { BusEvent, Integrations } from '@capstan/harness/integrations'
import { createIntegrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import type { Bell } from '@capstan/stores/postgres'
import { openBell } from '@capstan/stores/postgres'
import { onTestFinished, vi } from 'vitest'
import type { PostgresServer } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import type { ConnectionBridge } from '../connection-bridge.ts'
import { createConnectionBridge } from '../connection-bridge.ts'

export const USER = 'ann'
export const VISITOR = {
  userId: USER,
  browserId: 'a-cookie',
  redirectUri: 'http://127.0.0.1:9/oauth/callback',
}

/** The integrations of a node, and what it published. */
export interface Node {
  readonly store: Store
  readonly integrations: Integrations
  readonly bridge: ConnectionBridge
  readonly bell: Bell
  readonly events: readonly BusEvent[]
  readonly ownEvents: readonly BusEvent[]
  readonly problems: readonly unknown[]
}

/** Two nodes on one database. Each makes connectors of its own. */
export async function openNodes(
  postgres: PostgresServer,
  connectorsOf: (store: Store) => readonly Connector[],
): Promise<{ readonly url: string; readonly a: Node; readonly b: Node }> {
  const first = await postgres.open({ nodeId: 'a' })
  const url = postgres.urlOf(first)
  const second = await postgres.open({ url, nodeId: 'b' })
  const open = async (store: Store, nodeId: string): Promise<Node> => {
    const problems: unknown[] = []
    const onProblem = (problem: unknown) => void problems.push(problem)
    const bell = await openBell({ url, nodeId, onProblem })
    const integrations = createIntegrations({ connectors: connectorsOf(store), store: store.connections })
    const bridge = createConnectionBridge({ integrations, store: store.connections, bell, onProblem })
    const events: BusEvent[] = []
    const ownEvents: BusEvent[] = []
    bridge.bus.subscribe((event) => void events.push(event))
    bridge.own.subscribe((event) => void ownEvents.push(event))
    onTestFinished(async () => {
      bridge.close()
      await integrations.close()
      await bell.close()
    })
    return { store, integrations, bridge, bell, events, ownEvents, problems }
  }
  return { url, a: await open(first, 'a'), b: await open(second, 'b') }
}

/** Connects an app that needs no visit. */
export async function connectApp({ integrations }: Node, toolkit: string): Promise<string> {
  const begun = await integrations.connections.begin(USER, toolkit)
  const answer = await integrations.connections.signIn(begun!.id, VISITOR)
  if (answer.type !== 'settled') throw new Error(answer.type)
  return answer.connection.id
}

/** What a turn on this node knows of an app at its next model call, without reading anything. */
export const known = ({ integrations }: Node, toolkit: string) =>
  integrations.directory.peek(USER)?.toolkits.find(({ slug }) => slug === toolkit)

/** Resolves when the node has published an event that fits. */
export const heard = (node: Node, fits: (event: BusEvent) => boolean): Promise<BusEvent> =>
  vi.waitFor(
    () => {
      const found = node.events.find(fits)
      if (!found) throw new Error(`only ${JSON.stringify(node.events)} ${String(node.problems)}`)
      return found
    },
    { timeout: 10_000, interval: 5 },
  )

export const isStatus =
  (status: string) =>
  (event: BusEvent): boolean =>
    event.type === 'connections-changed' && event.connection.status === status
