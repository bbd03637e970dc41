import { randomUUID } from 'node:crypto'
import type { Session, Threads } from '@capstan/harness'
import type { ThreadId, WaitsFor } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import type { Bell, Database, NodeLock, PostgresStore } from '@capstan/stores/postgres'
import { openNodeLock } from '@capstan/stores/postgres'
import type { ClusterMetrics } from '../observe/metrics/cluster-metrics.ts'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import { createCommandHandler } from './command-handler.ts'
import { createCommands } from './commands.ts'
import { untilIdle } from './until-idle.ts'
import { createRemoteActions } from './remote-actions.ts'
import { createSender } from './send-command.ts'
import { createThreadWorker } from './thread-worker.ts'
import { createAttempts } from './turn-attempts.ts'
import type { TurnQueue } from './turn-queue.ts'
import { openTurnQueue } from './turn-queue.ts'
import type { Upkeep } from './upkeep.ts'
import { startUpkeep } from './upkeep.ts'

/** What a node does: takes requests and runs turns, or one of both. */
export type NodeRole = 'all' | 'web' | 'worker'

/** This node among others that share a store. */
export interface Cluster {
  /** The actions of a user, carried out by whichever node runs the thread. */
  actionsOf(userId: string): ThreadActions
  /** Has some node resume the turn of a thread. `waitsFor`: what was settled. */
  dispatch(threadId: ThreadId, waitsFor?: WaitsFor): Promise<void>
  /** What a user has asked for and no node has done is not done any more. */
  refuseAllOf(userId: string): Promise<void>
  /** Settles when no turn of these users, or of anybody, is running on any node. */
  untilIdle(userIds?: readonly string[]): Promise<void>
  /** Begins to work. */
  start(local: LocalThreads): Promise<void>
  /** Takes no further work, gives turns the grace time, and leaves the rest to the others. */
  stop(graceMs: number): Promise<void>
}

/** What this process needs to run a thread. */
interface LocalThreads {
  threadsOf(userId: string): Threads
  actionsOf(userId: string): ThreadActions
  isHeld(userId: string): boolean
  now(): number
}

interface ClusterOptions {
  readonly url: string
  readonly store: PostgresStore
  readonly bell: Bell
  readonly role: NodeRole
  /** How many threads this node runs at a time. */
  readonly concurrency: number
  readonly metrics: ClusterMetrics
  readonly onProblem: (error: unknown, threadId?: ThreadId) => void
}

export function createCluster(options: ClusterOptions): Cluster {
  const { url, store, bell, role, metrics, onProblem } = options
  const { database, nodeId } = store
  const commands = createCommands(database, store.texts)
  const sender = createSender({ commands, bell, call })
  let queue: TurnQueue | undefined
  let lock: NodeLock | undefined
  let local: LocalThreads | undefined
  let upkeep: Upkeep | undefined
  // Before the queue is open, nothing is lost: workers find every thread with something to do.
  const enqueue = async (threadId: string): Promise<void> => queue?.add(threadId)
  const handler = createCommandHandler({
    store,
    commands,
    actionsOf: (userId) => local!.actionsOf(userId),
    noteAnswer: (threadId, id) => sender.noteAnswer(threadId, id),
  })
  const worker = createThreadWorker({
    store,
    commands,
    threadsOf: (userId) => local!.threadsOf(userId),
    ...handler,
    attempts: createAttempts(store, database, (session: Session) => session.giveUp()),
    enqueue,
    metrics,
    onProblem,
  })
  const unsubscribes = [
    bell.on('commands', (threadId) => worker.call(threadId)),
    bell.onGap(() => worker.callAll()),
  ]

  /** Tells the node that runs the thread, or has one run it. */
  async function call(threadId: string): Promise<void> {
    if (worker.has(threadId)) return worker.call(threadId)
    const owner = await store.ownership!.ownerOf(threadId as ThreadId)
    if (owner && owner.nodeId !== nodeId) bell.ring('commands', threadId)
    else await enqueue(threadId)
  }

  async function dispatch(threadId: ThreadId, waitsFor?: WaitsFor): Promise<void> {
    const thread = await store.threads.get(threadId)
    if (!thread) return
    const id = waitsFor ? `wake ${waitsFor.kind} ${waitsFor.id}` : `wake ${randomUUID()}`
    await sender.post({ threadId, id, userId: thread.userId, kind: 'wake', body: { waitsFor } })
  }

  async function join(threads: LocalThreads): Promise<void> {
    local = threads
    lock = await openNodeLock({
      url,
      nodeId,
      role,
      version: VERSION,
      onRegained: () => void worker.giveUpMoved().catch(onProblem),
      onProblem,
    })
    queue = await openQueueAlone(lock, database, {
      ...options,
      nodeId,
      isWorker: role !== 'web',
      work: (threadId) => worker.work(threadId),
    })
    upkeep = startUpkeep({
      ...threads,
      ...options,
      nodeId,
      database,
      isWorker: role !== 'web',
      queue,
      lock,
      worker,
      commands,
      dispatch,
    })
  }

  return {
    actionsOf: (userId) => createRemoteActions(sender, userId),
    dispatch,
    refuseAllOf: (userId) => handler.refuseAllOf(userId),
    untilIdle: (userIds) => untilIdle(database, userIds),
    async start(threads) {
      try {
        await join(threads)
      } catch (error) {
        await lock?.close() // its connection would keep the process alive, and the name taken
        throw error
      }
    },
    async stop(graceMs) {
      unsubscribes.forEach((unsubscribe) => unsubscribe())
      await upkeep?.stopWork()
      await queue?.drain(graceMs)
      await worker.leave()
      await upkeep?.stop()
      await lock?.close()
    },
  }
}

/** Alone, because the queue makes its tables. */
async function openQueueAlone(
  lock: NodeLock,
  database: Database,
  options: Omit<Parameters<typeof openTurnQueue>[0], 'schema'>,
): Promise<TurnQueue> {
  const [row] = await database.read<{ schema: string }>('SELECT current_schema() AS schema')
  const schema = row!.schema === 'public' ? 'dbos' : `${row!.schema}_dbos`
  return lock.alone('queue', () => openTurnQueue({ ...options, schema }))
}
