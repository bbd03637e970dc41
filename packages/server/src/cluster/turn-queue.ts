import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { openPlainPool } from '@capstan/stores/postgres'
import { DBOS } from '@dbos-inc/dbos-sdk'

const QUEUE = 'threads'
const WORKFLOW = 'work-on-thread'
/** Changed only when a node of the version before could not carry out the workflow of this one. */
const WORKFLOW_VERSION = 'capstan-1'
const POLL_MS = 100
const REMOVED_AT_ONCE = 500

/**
 * Which node works on which thread: a durable queue with one worker per thread at a time. DBOS keeps it; what has been done
 * in a thread is in our ledger.
 */
export interface TurnQueue {
  /** Some node will work on the thread. */
  add(threadId: string): Promise<void>
  /** Work that was begun and has not ended, and work that waits. */
  list(): Promise<readonly QueuedWork[]>
  /** Lets another node begin again with what a dead one had begun. */
  takeOver(ids: readonly string[]): Promise<void>
  /** Forgets work that has ended. */
  removeOld(): Promise<void>
  /** Begins nothing more, and waits for what was begun, at most for the grace time. */
  drain(graceMs: number): Promise<void>
}

export interface QueuedWork {
  readonly id: string
  readonly threadId: string
  /** The node that has begun. Undefined: it waits. */
  readonly nodeId?: string
}

/** Connects this node to the queue. One node per process: the library behind it keeps its state in the process. */
export async function openTurnQueue(options: {
  readonly url: string
  readonly schema: string
  readonly nodeId: string
  /** How many threads a node runs at a time. */
  readonly concurrency: number
  /** False: it only adds work. */
  readonly isWorker: boolean
  readonly work: (threadId: string) => Promise<void>
  readonly onProblem: (error: unknown) => void
}): Promise<TurnQueue> {
  const { url, schema, nodeId, concurrency, isWorker, onProblem } = options
  const report = (problem: unknown): void =>
    onProblem(problem instanceof Error ? problem : new Error(String(problem)))
  const pool = openPlainPool(url, 5)
  DBOS.setConfig({
    name: 'capstan',
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: schema,
    systemDatabasePool: pool,
    executorID: nodeId,
    applicationVersion: WORKFLOW_VERSION,
    listenQueues: isWorker ? [QUEUE] : ['none'],
    enableOTLP: false,
    useListenNotify: false,
    logger: { info() {}, debug() {}, warn() {}, error: report },
  })
  const workflow = DBOS.registerWorkflow(options.work, { name: WORKFLOW, maxRecoveryAttempts: 1_000_000 })
  await DBOS.launch()
  await DBOS.registerQueue(QUEUE, {
    partitionConcurrency: 1,
    workerConcurrency: concurrency,
    minPollingIntervalMs: POLL_MS,
    onConflict: 'always_update',
  })
  // Within a workflow, the library takes every use of itself for a step of that workflow.
  const outside = AsyncLocalStorage.snapshot()
  return {
    async add(threadId) {
      await outside(() =>
        DBOS.startWorkflow(workflow, {
          workflowID: randomUUID(),
          queueName: QUEUE,
          enqueueOptions: { queuePartitionKey: threadId },
        })(threadId),
      )
    },
    async list() {
      const found = await outside(() =>
        DBOS.listWorkflows({
          queueName: QUEUE,
          status: ['PENDING', 'ENQUEUED'],
          loadInput: false,
          loadOutput: false,
        }),
      )
      return found.map(({ workflowID, status, queuePartitionKey = '', executorId }) => ({
        id: workflowID,
        threadId: queuePartitionKey,
        ...(status === 'PENDING' && executorId !== undefined && { nodeId: executorId }),
      }))
    },
    async takeOver(ids) {
      if (ids.length > 0) await outside(() => DBOS.resumeWorkflows([...ids], { queueName: QUEUE }))
    },
    async removeOld() {
      const completedBefore = new Date(Date.now() - 3_600_000).toISOString()
      const list = () =>
        DBOS.listWorkflows({
          queueName: QUEUE,
          completedBefore,
          limit: REMOVED_AT_ONCE,
          loadInput: false,
          loadOutput: false,
        })
      let count: number
      do {
        const ids = (await outside(list)).map(({ workflowID }) => workflowID)
        count = ids.length
        if (count > 0) await outside(() => DBOS.deleteWorkflows(ids))
      } while (count === REMOVED_AT_ONCE)
    },
    async drain(graceMs) {
      await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: graceMs })
      await pool.end()
    },
  }
}
