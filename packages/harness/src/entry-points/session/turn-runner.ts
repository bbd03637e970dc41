import type { RunId, TurnOutcome } from '@capstan/protocol'
import { runTurn } from '../../engine/run-turn.ts'
import type { CheckpointStrategy } from '../../seams/seams.ts'
import {
  GivenUpError,
  RecordingError,
  StoppingError,
  StoreError,
  TurnInProgressError,
  TurnParked,
} from '../../turn/errors.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import { Inbox } from '../../turn/message/inbox.ts'
import type { TurnParts } from '../agent.ts'
import { createTurn } from '../agent.ts'
import type { OpenThread } from './open-thread.ts'
import type { RunWaiters } from './run-waiters.ts'
import type { ThreadMemory } from './thread-memory.ts'
import type { RunningTurn, ThreadState } from './thread-state.ts'

/** The parts a turn starts with. */
export type TurnInput = Partial<TurnParts> & Pick<TurnParts, 'input'>

/**
 * Called when the turn has started. `sync` settles when a power cut does not lose its message. Undefined: it is safe
 * already. A caller that need not wait for the disk does not call it.
 */
export type OnBegun = (runId: RunId, sync: () => Promise<void> | undefined) => void

interface TurnRunnerOptions {
  readonly state: ThreadState
  readonly memory: ThreadMemory
  readonly waiters: RunWaiters
  readonly checkpoint: CheckpointStrategy
  /** Throws when no turn may start or resume. */
  readonly admit: () => void
  /** Called when a turn has ended and the thread is idle. */
  readonly onIdle: () => void
  /**
   * Called when an interrupted turn must be resumed: a message has arrived for its thread, or the database has lost what was
   * recorded last.
   */
  readonly onInterrupted: () => void
}

/** Runs the turns of one thread, one at a time: starts new ones, resumes parked ones and ends abandoned ones. */
export class TurnRunner {
  readonly #state: ThreadState
  readonly #memory: ThreadMemory
  readonly #waiters: RunWaiters
  readonly #checkpoint: CheckpointStrategy
  readonly #admit: () => void
  readonly #onIdle: () => void
  readonly #onInterrupted: () => void
  /** Settles when the parked turn that is being stopped has ended. */
  #stopping: Promise<void> | undefined
  #resumeToken: string | undefined

  constructor(options: TurnRunnerOptions) {
    this.#state = options.state
    this.#memory = options.memory
    this.#waiters = options.waiters
    this.#checkpoint = options.checkpoint
    this.#admit = options.admit
    this.#onIdle = options.onIdle
    this.#onInterrupted = options.onInterrupted
  }

  /** The token of the last turn, if it ended at a cap. */
  get resumeToken(): string | undefined {
    return this.#resumeToken
  }

  /** Takes over the restored state of a thread that was read from its store. */
  noteOpened({ stored }: OpenThread): void {
    this.#resumeToken = stored?.state.resumeToken
    if (stored?.state.unfinished && this.#state.type === 'idle') this.#state.park()
  }

  /**
   * Ends a parked turn, then runs a new one until it has ended or is parked (undefined). A turn that nobody watches ends no
   * other: it is refused.
   */
  async begin(
    parts: TurnInput,
    signal: AbortSignal | undefined,
    onBegun?: OnBegun,
  ): Promise<TurnOutcome | undefined> {
    if (this.#stopping) await this.#stopping
    const leaving = this.#state.leaving()
    if (leaving) await leaving
    this.#admit() // no await before `#occupy`: a hold that comes now finds the turn running
    try {
      return await this.#occupy(signal, async (turn) => {
        const opening = this.#memory.open()
        let opened = opening instanceof Promise ? await opening : opening
        if (opened.stored?.state.unfinished) opened = await this.#giveUpWaiting(opened, turn, parts)
        return this.#perform(opened, parts, turn, onBegun)
      })
    } catch (error) {
      if (error instanceof TurnParked) return undefined
      throw error
    }
  }

  /** Resumes an interrupted turn until it has ended or is parked again. `outcome` is undefined when there is none. */
  async resume(onPast: OnPast): Promise<ResumedTurn> {
    // No await between the last look and `#occupy`: of two callers, the second waits for the first.
    for (let turn = this.#state.running; turn; turn = this.#state.running) await turn.end
    this.#admit()
    let runId: RunId | undefined
    let isAwaited = false
    try {
      const outcome = await this.#occupy(undefined, async (turn) => {
        const opened = await this.#memory.open()
        const past = opened.stored?.state.unfinished
        onPast(opened, turn)
        if (!past) return undefined
        runId = past.runId
        isAwaited = this.#waiters.has(past.runId)
        const ended = await this.#perform(opened, { ...pastParts(opened), input: undefined }, turn)
        this.#memory.forgetPast(opened)
        return ended
      })
      return { outcome }
    } catch (error) {
      if (error instanceof TurnParked) return { parked: runId! }
      if (isAwaited) return { outcome: undefined } // the waiters of the run get the error
      throw error
    }
  }

  /**
   * Ends the parked turn. With an id, only if it is that run. A thread that is known to be parked is running from the
   * call on, so that an answer that comes now finds the turn stopped.
   */
  stopParked(runId: RunId | undefined, onPast: OnPast): Promise<void> {
    const stopping = this.#stopParked(runId, onPast)
    if (this.#state.type === 'running') {
      const settled = stopping.catch(ignore).finally(() => {
        if (this.#stopping === settled) this.#stopping = undefined
      })
      this.#stopping = settled
    }
    return stopping
  }

  async #stopParked(runId: RunId | undefined, onPast: OnPast): Promise<void> {
    // A thread that was not read yet may have no parked turn: then nobody must find it running.
    if (this.#state.type === 'idle' && !(await this.#memory.open()).stored?.state.waitsFor) return
    await this.#occupy(undefined, async (turn) => {
      const opened = await this.#memory.open()
      const { unfinished, waitsFor } = opened.stored?.state ?? {}
      if (!unfinished) return undefined
      if (!waitsFor || (runId !== undefined && runId !== unfinished.runId)) throw new StaysParkedError()
      onPast(opened, turn)
      return this.#stop(opened, turn)
    }).catch((error: unknown) => {
      if (!(error instanceof StaysParkedError)) throw error
    })
  }

  /** Ends an interrupted turn with a failure instead of resuming it. Undefined when there is none. */
  async giveUpInterrupted(onPast: OnPast): Promise<TurnOutcome | undefined> {
    return this.#occupy(undefined, async (turn) => {
      const opened = await this.#memory.open()
      if (!opened.stored?.state.unfinished) return undefined
      onPast(opened, turn)
      return this.#giveUp(opened, turn, new GivenUpError())
    })
  }

  /** Gives up a parked turn for good: the messages that wait for it are refused. */
  async #stop(opened: OpenThread, turn: RunningTurn): Promise<TurnOutcome> {
    const outcome = await this.#giveUp(opened, turn)
    turn.inbox.close('the turn was stopped first')
    return outcome
  }

  /** Ends a turn that waits. A turn interrupted by a crash must be resumed first. */
  async #giveUpWaiting(
    opened: OpenThread,
    turn: RunningTurn,
    { unattended }: TurnInput,
  ): Promise<OpenThread> {
    const waitsFor = opened.stored?.state.waitsFor
    if (!waitsFor) {
      this.#onInterrupted()
      throw new InterruptedTurnError()
    }
    if (unattended) throw new WaitingTurnError(waitsFor)
    await this.#giveUp(opened, turn)
    return this.#memory.open()
  }

  /** Ends a parked turn and closes its open calls, also in sub-agents. An observer withdraws its approvals. */
  async #giveUp(
    opened: OpenThread,
    turn: RunningTurn,
    why = new Error('stopped while it waited'),
  ): Promise<TurnOutcome> {
    const signal = AbortSignal.abort(why)
    const parts = { ...pastParts(opened), input: undefined, signal, inbox: new Inbox() }
    const outcome = await this.#perform(opened, parts, turn)
    // Before the end is announced: the next turn must not find this past again.
    this.#memory.release()
    return outcome
  }

  /** Keeps the thread running during `work`. An error that leaves the turn unfinished parks the thread. */
  async #occupy(
    signal: AbortSignal | undefined,
    work: (turn: RunningTurn) => Promise<TurnOutcome | undefined>,
  ): Promise<TurnOutcome | undefined> {
    const turn = this.#state.begin(signal)
    try {
      const outcome = await work(turn)
      this.#state.end(outcome?.type ?? 'done')
      this.#onIdle()
      return outcome
    } catch (error) {
      if (LEAVES_UNFINISHED.some((kind) => error instanceof kind)) this.#state.park()
      else {
        this.#state.end('failed')
        this.#onIdle()
      }
      if (error instanceof StoreError && error.kind === 'lost') this.#onInterrupted()
      throw error
    }
  }

  /** Runs one turn. Throws `TurnParked` when it is parked; its outcome later goes to the waiters of its run. */
  async #perform(
    opened: OpenThread,
    parts: TurnInput,
    running: RunningTurn,
    onBegun?: OnBegun,
  ): Promise<TurnOutcome> {
    const { agent, conversation, line, window, flow, stored } = opened
    const turn = createTurn(agent, {
      conversation,
      window,
      flow,
      line,
      checkpoint: this.#checkpoint,
      signal: running.signal,
      inbox: running.inbox,
      ...(stored ? { archive: stored.state.archive } : undefined),
      ...(onBegun ? { onStarted: () => onBegun(runId, () => stored?.recorder.openingSynced()) } : undefined),
      ...parts,
    })
    const { runId } = turn.run
    running.runId = runId
    this.#resumeToken = undefined
    try {
      const outcome = await runTurn(turn)
      if (outcome.type === 'capped') this.#resumeToken = outcome.resumeToken
      this.#settle(runId, running, (waiter) => waiter.resolve(outcome))
      return outcome
    } catch (error) {
      return this.#leave(error, opened, runId, running)
    }
  }

  /** Handles a turn that was parked or failed without an outcome. */
  async #leave(error: unknown, opened: OpenThread, runId: RunId, running: RunningTurn): Promise<TurnOutcome> {
    let reason = error
    try {
      if (error instanceof TurnParked && !isStopped(running)) await reportPark(opened, runId)
      // The watchers get what was reported so far before the turn goes on with another recorder.
      else if (error instanceof TurnParked) await opened.stored!.recorder.commitAndSync()
    } catch (fault) {
      reason = fault
    }
    this.#memory.release()
    if (reason instanceof TurnParked) {
      if (!isStopped(running)) throw reason
      return this.#stop(await this.#memory.open(), running) // stopped while it was being parked
    }
    if (reason instanceof RecordingError) reason = reason.cause
    this.#settle(runId, running, (waiter) => waiter.reject(reason))
    throw reason
  }

  #settle(
    runId: RunId,
    running: RunningTurn,
    settle: (waiter: PromiseWithResolvers<TurnOutcome>) => void,
  ): void {
    const waiter = this.#waiters.take(runId)
    if (waiter) running.afterwards(() => settle(waiter))
  }
}

/** Whether a person has stopped the turn, and not the process. */
const isStopped = ({ signal }: RunningTurn): boolean =>
  signal.aborted && !(signal.reason instanceof StoppingError)

/** The result of `resume`: an outcome, or the run that is parked again. */
export type ResumedTurn = { readonly outcome: TurnOutcome | undefined } | { readonly parked: RunId }

/** The previous turn was interrupted and must be resumed first. */
class InterruptedTurnError extends TurnInProgressError {}

/** The previous turn waits for a person, and may not be ended. */
class WaitingTurnError extends TurnInProgressError {}

/** The parked turn was not the one to stop. */
class StaysParkedError extends Error {}

/** Gets a thread with an interrupted turn before the turn goes on or is stopped. */
type OnPast = (opened: OpenThread, turn: RunningTurn) => void

/** Errors after which the turn is unfinished. */
const LEAVES_UNFINISHED = [
  TurnParked,
  StoreError,
  StoppingError,
  InterruptedTurnError,
  WaitingTurnError,
  StaysParkedError,
]

function pastParts({ stored }: OpenThread): Pick<TurnParts, 'past' | 'refusals' | 'done'> {
  const { state, refusals } = stored!
  return { past: state.unfinished!, refusals, done: state.done }
}

/** Reports the park in a commit of its own; the park itself is already durable. */
async function reportPark({ line, stored }: OpenThread, runId: RunId): Promise<void> {
  await line.report(runId, { type: 'turn-park', waitsFor: stored!.parking.waits })
  await stored!.recorder.commitSafely()
}
