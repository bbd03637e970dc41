import type { Threads, ThreadsOptions } from '@capstan/harness'
import type { EventBus, Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { AllUsers } from '../sessions/all-users.ts'
import type { Update } from '../sessions/assistant.ts'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import { createThreadActions } from '../sessions/thread-actions.ts'
import { createConnectionBridge } from './connection-bridge.ts'
import type { OpenNode } from './open-node.ts'
import { shareUpdates } from './update-bells.ts'

/** How long turns may go on when a node leaves. */
const GRACE_MS = 5_000

/** What is different when several nodes share a store. One process alone does everything itself. */
export interface Nodes {
  /** Tells the pages of all nodes. */
  readonly publish: (update: Update) => void
  /** The changes of connections that this process wakes turns for. */
  readonly bus: EventBus
  /** For the threads of every user. */
  readonly dispatch?: ThreadsOptions['dispatch']
  readonly untilIdle?: (userIds: readonly string[] | undefined) => Promise<void>
  /** The threads of a user for routes. */
  threadsOf(userId: string): Threads
  actionsOf(userId: string): ThreadActions
  /** What a user has asked for and no node has done is not done any more. */
  refuseAllOf(userId: string): Promise<void>
  /** Resumes interrupted turns, here or elsewhere. */
  start(options: { readonly resumes: boolean }): Promise<void>
  /** Gives turns the grace time. The rest resumes at the next start, or on another node. */
  stop(graceMs: number | undefined): Promise<void>
  close(): Promise<void>
}

export interface NodesOptions {
  readonly node?: OpenNode
  readonly store: Store
  readonly integrations: Integrations
  readonly metrics: Pick<Metrics, 'cluster' | 'countQueued'>
  /** Publishes in this process only. */
  readonly publish: (update: Update) => void
  readonly users: () => AllUsers
  readonly isHeld: (userId: string) => boolean
  readonly now: () => number
  readonly onProblem: (problem: unknown) => void
}

export const openNodes = (options: NodesOptions): Nodes =>
  options.node ? joinNodes(options, options.node) : stayAlone(options)

/** Carried out in this process. */
const actHere = ({ users, metrics }: NodesOptions, userId: string): ThreadActions =>
  createThreadActions(users().threadsOf(userId), (delivery) => metrics.countQueued(delivery))

const stayAlone = (options: NodesOptions): Nodes => ({
  publish: options.publish,
  bus: options.integrations.bus,
  threadsOf: (userId) => options.users().threadsOf(userId),
  actionsOf: (userId) => actHere(options, userId),
  refuseAllOf: async () => {},
  async start({ resumes }) {
    if (resumes) await options.users().resume()
  },
  stop: (graceMs) => options.users().stop(graceMs === undefined ? {} : { graceMs }),
  close: async () => {},
})

function joinNodes(options: NodesOptions, node: OpenNode): Nodes {
  const { store, integrations, users, isHeld, now, onProblem } = options
  const { bell } = node
  const bridge = createConnectionBridge({ integrations, store: store.connections, bell, onProblem })
  const cluster = node.createCluster({ ...node, metrics: options.metrics.cluster, onProblem })
  const actionsOf = (userId: string): ThreadActions => cluster.actionsOf(userId)
  return {
    publish: shareUpdates({
      bell,
      store,
      isHeld,
      publish: options.publish,
      async onThreadChange(userId, threadId) {
        if (users().known().includes(userId)) await users().threadsOf(userId).refresh(threadId)
      },
      onProblem,
    }),
    bus: bridge.own,
    dispatch: (threadId, waitsFor) => cluster.dispatch(threadId, waitsFor),
    untilIdle: (userIds) => cluster.untilIdle(userIds),
    threadsOf: (userId) => ({
      ...users().threadsOf(userId),
      delete: (id) => actionsOf(userId).remove(id),
    }),
    actionsOf,
    refuseAllOf: (userId) => cluster.refuseAllOf(userId),
    start: () =>
      cluster.start({
        threadsOf: (userId) => users().threadsOf(userId),
        actionsOf: (userId) => actHere(options, userId),
        isHeld,
        now,
      }),
    async stop(graceMs = GRACE_MS) {
      await cluster.stop(graceMs)
      await users().stop({ graceMs: 0 })
    },
    async close() {
      bridge.close()
      await node.close()
    },
  }
}
