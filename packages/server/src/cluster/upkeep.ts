import type { Store } from '@capstan/harness/stores'
import type { ThreadId, WaitsFor } from '@capstan/protocol'
import type { Database, NodeLock } from '@capstan/stores/postgres'
import type { ClusterMetrics } from '../observe/metrics/cluster-metrics.ts'
import type { Commands } from './commands.ts'
import { findThreadsWithWork } from './forgotten-threads.ts'
import { regularly } from './regularly.ts'
import { takeOverDead } from './takeover.ts'
import type { ThreadWorker } from './thread-worker.ts'
import type { TurnQueue } from './turn-queue.ts'

const BEAT_MS = 2_000
const TAKEOVER_MS = 500
const SWEEP_MS = 2_000
const TIDY_MS = 60_000

/** What a node does again and again beside its threads. */
export interface Upkeep {
  /** Ends everything but the sign of life. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

interface UpkeepOptions {
  readonly nodeId: string
  readonly isWorker: boolean
  readonly store: Store
  readonly database: Database
  readonly queue: TurnQueue
  readonly lock: NodeLock
  readonly worker: ThreadWorker
  readonly commands: Commands
  readonly metrics: ClusterMetrics
  readonly isHeld: (userId: string) => boolean
  readonly now: () => number
  readonly dispatch: (threadId: ThreadId, waitsFor: WaitsFor) => Promise<void>
  readonly onProblem: (error: unknown) => void
}

export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { nodeId, isWorker, store, database, queue, lock, worker, commands, metrics, onProblem } = options

  async function beat(): Promise<void> {
    await lock.beat()
    await worker.giveUpMoved()
  }

  async function takeOver(): Promise<void> {
    const queued = await queue.list()
    metrics.setQueue(queued.filter((work) => work.nodeId === undefined).length, worker.size)
    const moved = await takeOverDead(queued, queue, lock, nodeId)
    if (moved > 0) metrics.countTakeover(moved)
  }

  /** Expires approvals, and finds threads that nobody works on although there is something to do. */
  async function sweep(): Promise<void> {
    for (const { id, threadId } of await store.approvals.expire(options.now()))
      await options.dispatch(threadId, { kind: 'approval', id })
    const withWork = await findThreadsWithWork(database)
    if (withWork.length === 0) return
    const queued = new Set((await queue.list()).map(({ threadId }) => threadId))
    for (const { id, userId } of withWork) if (!queued.has(id) && !options.isHeld(userId)) await queue.add(id)
  }

  async function tidy(): Promise<void> {
    await commands.removeOld()
    await queue.removeOld()
  }

  const stopBeat = regularly(BEAT_MS, beat, onProblem)
  const stops = isWorker
    ? [
        regularly(TAKEOVER_MS, takeOver, onProblem),
        regularly(SWEEP_MS, sweep, onProblem),
        regularly(TIDY_MS, tidy, onProblem),
      ]
    : []
  return {
    stopWork: async () => void (await Promise.all(stops.map((stop) => stop()))),
    stop: stopBeat,
  }
}
