import type { ConnectionRow, RunRow, ThreadId, WaitsFor } from '@capstan/protocol'
import type { Store } from '../../ports/store.ts'
import type { SessionPool } from './session-pool.ts'

/**
 * Has the turn of a thread resumed by the node that is to run it. `waitsFor`: what the turn may wait for, and was settled.
 */
export type DispatchTurn = (threadId: ThreadId, waitsFor?: WaitsFor) => Promise<void>

/** Resumes parked turns when the approval or sign-in they wait for is settled. */
export class TurnWaker {
  readonly #store: Store
  readonly #userId: string
  readonly #pool: SessionPool
  readonly #onProblem: (error: unknown, threadId?: ThreadId) => void
  /** Undefined: turns are resumed here. */
  readonly #dispatch: DispatchTurn | undefined

  constructor(
    store: Store,
    userId: string,
    pool: SessionPool,
    onProblem: (error: unknown, threadId?: ThreadId) => void,
    dispatch?: DispatchTurn,
  ) {
    this.#store = store
    this.#userId = userId
    this.#pool = pool
    this.#onProblem = onProblem
    this.#dispatch = dispatch
  }

  /** Resumes the turn of a thread in the background. */
  async resume(threadId: ThreadId, waitsFor?: WaitsFor): Promise<void> {
    if (this.#dispatch) return this.#dispatch(threadId, waitsFor)
    const session = await this.#pool.open(threadId)
    session.resume({ untilParked: true }).catch((error: unknown) => this.#onProblem(error, threadId))
  }

  /** Resumes the turn that waits for this. False when there is none. */
  async wake(waitsFor: WaitsFor): Promise<boolean> {
    const run = await this.#store.runs.findWaiting(waitsFor)
    if (!run || this.#pool.isStopping || this.#pool.isHeld) return false
    if (this.#pool.peek(run.threadId)?.settle(waitsFor)) return true
    await this.resume(run.threadId, waitsFor)
    return true
  }

  /** Resumes the turn of an answered approval. A turn that is still being parked is resumed after that. */
  async wakeAnswered(approvalId: string, threadId: ThreadId): Promise<void> {
    const waitsFor: WaitsFor = { kind: 'approval', id: approvalId }
    if (await this.wake(waitsFor)) return
    // The node that runs the turn knows whether it is being parked.
    if (this.#dispatch && !this.#pool.isHeld) return this.#dispatch(threadId, waitsFor)
    const session = this.#pool.peek(threadId)
    if (session?.state !== 'running') return
    session.settle(waitsFor) // a sub-agent that is being parked goes on at once
    const again = session.idle().then(() => this.wake(waitsFor))
    again.catch((error: unknown) => this.#onProblem(error, threadId))
  }

  /** Resumes the turns of a settled sign-in. An active one also serves turns that wait for another sign-in of that app. */
  async wakeConnected({ id, toolkit, status }: ConnectionRow): Promise<void> {
    await this.#wakeSignedIn(id)
    if (status !== 'active') return
    for (const other of await this.#store.connections.list(this.#userId))
      if (other.toolkit === toolkit && other.status === 'pending') await this.#wakeSignedIn(other.id)
  }

  async #wakeSignedIn(id: string): Promise<void> {
    const { running } = this.#pool
    await this.#wakeAll(id)
    // A turn that is still being parked may wait for it.
    for (const session of running)
      session
        .idle()
        .then(() => this.#wakeAll(id))
        .catch((error: unknown) => this.#onProblem(error))
  }

  /** Several turns may wait for one sign-in. */
  async #wakeAll(id: string): Promise<void> {
    if (this.#pool.isStopping || this.#pool.isHeld) return
    const signIn: WaitsFor = { kind: 'sign-in', id }
    for (const run of await this.#store.runs.unfinished()) {
      const waits = await this.#waitsOf(run)
      if (!waits.some((wait) => wait.kind === signIn.kind && wait.id === id)) continue
      const session = this.#pool.peek(run.threadId)
      if (session?.settle(signIn) || session?.state === 'running') continue
      await this.resume(run.threadId, signIn)
    }
  }

  async #waitsOf(run: RunRow): Promise<readonly WaitsFor[]> {
    const tree = await this.#store.runs.tree(run.id)
    return tree.flatMap(({ waitsFor }) => (waitsFor ? [waitsFor] : []))
  }

  /** Whether something that a parked turn waits for was settled while no process could resume it. */
  async isAnswered(run: RunRow): Promise<boolean> {
    const waits = await this.#waitsOf(run)
    if (waits.length === 0) return true
    for (const waitsFor of waits) if (await this.#isSettled(waitsFor)) return true
    return false
  }

  async #isSettled({ kind, id }: WaitsFor): Promise<boolean> {
    const { approvals, connections } = this.#store
    if (kind === 'approval') return (await approvals.get(id))?.decision !== undefined
    const connection = await connections.get(id)
    if (connection?.status !== 'pending') return connection !== undefined
    const { userId, toolkit } = connection
    const own = await connections.list(userId)
    return own.some((other) => other.toolkit === toolkit && other.status === 'active')
  }
}
