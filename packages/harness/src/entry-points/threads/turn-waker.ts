import type { ConnectionRow, RunRow, ThreadId, WaitsFor } from '@capstan/protocol'
import type { Store } from '../../ports/store.ts'
import type { SessionPool } from './session-pool.ts'

/** Lets parked turns go on when what they wait for has come. */
export class TurnWaker {
  readonly #store: Store
  readonly #userId: string
  readonly #pool: SessionPool
  readonly #onProblem: (error: unknown, threadId?: ThreadId) => void

  constructor(
    store: Store,
    userId: string,
    pool: SessionPool,
    onProblem: (error: unknown, threadId?: ThreadId) => void,
  ) {
    this.#store = store
    this.#userId = userId
    this.#pool = pool
    this.#onProblem = onProblem
  }

  /** Resumes the turn of a thread in the background. */
  async resume(threadId: ThreadId): Promise<void> {
    const session = await this.#pool.open(threadId)
    session.resume({ untilParked: true }).catch((error: unknown) => this.#onProblem(error, threadId))
  }

  /** False when no turn waits for it. */
  async wake(waitsFor: WaitsFor): Promise<boolean> {
    const run = await this.#store.runs.findWaiting(waitsFor)
    if (!run || this.#pool.isStopping) return false
    await this.resume(run.threadId)
    return true
  }

  /** An approval may be answered while its turn is only being parked: then the turn goes on once it is. */
  async wakeAnswered(approvalId: string, threadId: ThreadId): Promise<void> {
    const waitsFor: WaitsFor = { kind: 'approval', id: approvalId }
    if (await this.wake(waitsFor)) return
    const session = this.#pool.peek(threadId)
    if (session?.state !== 'running') return
    const again = session.idle().then(() => this.wake(waitsFor))
    again.catch((error: unknown) => this.#onProblem(error, threadId))
  }

  /** A sign-in was settled. Whoever waits for the same app through another sign-in has what it needs. */
  async wakeConnected({ id, toolkit, status }: ConnectionRow): Promise<void> {
    await this.#wakeSignedIn(id)
    if (status !== 'active') return
    for (const other of await this.#store.connections.list(this.#userId))
      if (other.toolkit === toolkit && other.status === 'pending') await this.#wakeSignedIn(other.id)
  }

  async #wakeSignedIn(id: string): Promise<void> {
    const { running } = this.#pool
    if (await this.wake({ kind: 'sign-in', id })) return
    // It may belong to a turn that is only being parked.
    for (const session of running)
      session
        .idle()
        .then(() => this.wake({ kind: 'sign-in', id }))
        .catch((error: unknown) => this.#onProblem(error))
  }

  /** Whether what a parked turn waits for came while nobody could wake it. */
  async isAnswered(run: RunRow): Promise<boolean> {
    const { approvals, connections, runs } = this.#store
    const waiting = run.waitsFor ? run : (await runs.tree(run.id)).find((one) => one.waitsFor)
    if (!waiting?.waitsFor) return true
    const { kind, id } = waiting.waitsFor
    if (kind === 'approval') return (await approvals.get(id))?.decision !== undefined
    const connection = await connections.get(id)
    if (connection?.status !== 'pending') return connection !== undefined
    const { userId, toolkit } = connection
    const own = await connections.list(userId)
    return own.some((other) => other.toolkit === toolkit && other.status === 'active')
  }
}
