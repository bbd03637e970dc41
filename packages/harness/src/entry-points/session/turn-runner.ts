import type { RunId, TurnOutcome } from '@capstan/protocol'
import { runTurn } from '../../engine/run-turn.ts'
import type { CheckpointStrategy } from '../../seams/seams.ts'
import {
  RecordingError,
  StoppingError,
  StoreError,
  TurnInProgressError,
  TurnParked,
} from '../../turn/errors.ts'
import { Inbox } from '../../turn/inbox.ts'
import type { TurnParts } from '../agent.ts'
import { createTurn } from '../agent.ts'
import type { OpenThread } from './open-thread.ts'
import type { RunWaiters } from './run-waiters.ts'
import type { ThreadMemory } from './thread-memory.ts'
import type { RunningTurn, ThreadState } from './thread-state.ts'

/** What a turn begins with. */
export type TurnInput = Partial<TurnParts> & Pick<TurnParts, 'input'>

/**
 * Called when the turn has begun. `sync` settles when a power cut does not lose its message; undefined: that is so
 * already. Not calling it saves the wait for the disk.
 */
export type OnBegun = (runId: RunId, sync: () => Promise<void> | undefined) => void

interface TurnRunnerOptions {
  readonly state: ThreadState
  readonly memory: ThreadMemory
  readonly waiters: RunWaiters
  readonly checkpoint: CheckpointStrategy
  /** A turn has ended, and no other one is running. */
  readonly onIdle: () => void
  /** A message came for a thread whose last turn was interrupted and has to be resumed first. */
  readonly onInterrupted: () => void
}

/** Runs the turns of one thread, one at a time: new ones, parked ones, and the end of those that are given up. */
export class TurnRunner {
  readonly #state: ThreadState
  readonly #memory: ThreadMemory
  readonly #waiters: RunWaiters
  readonly #checkpoint: CheckpointStrategy
  readonly #onIdle: () => void
  readonly #onInterrupted: () => void
  #resumeToken: string | undefined

  constructor(options: TurnRunnerOptions) {
    this.#state = options.state
    this.#memory = options.memory
    this.#waiters = options.waiters
    this.#checkpoint = options.checkpoint
    this.#onIdle = options.onIdle
    this.#onInterrupted = options.onInterrupted
  }

  /** The token of the last turn, if it ended at a cap. */
  get resumeToken(): string | undefined {
    return this.#resumeToken
  }

  /** A thread was read from its store: it goes on from what is recorded there. */
  noteOpened({ stored }: OpenThread): void {
    this.#resumeToken = stored?.state.resumeToken
    if (stored?.state.unfinished && this.#state.type === 'idle') this.#state.park()
  }

  /** Runs a new turn until it has ended, or with undefined, until it is parked. A turn that waits is given up for it. */
  async begin(
    parts: TurnInput,
    signal: AbortSignal | undefined,
    onBegun?: OnBegun,
  ): Promise<TurnOutcome | undefined> {
    try {
      return await this.#occupy(signal, async (turn) => {
        const opening = this.#memory.open()
        let opened = opening instanceof Promise ? await opening : opening
        if (opened.stored?.state.unfinished) opened = await this.#giveUpWaiting(opened, turn)
        return this.#perform(opened, parts, turn, onBegun)
      })
    } catch (error) {
      if (error instanceof TurnParked) return undefined
      throw error
    }
  }

  /** Runs an interrupted turn until it has ended or is parked again. Undefined: there is none, or it is parked. */
  async resume(onPast: (opened: OpenThread, turn: RunningTurn) => void): Promise<ResumedTurn> {
    await this.#state.idle()
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
      if (isAwaited) return { outcome: undefined } // those who wait for the run have the error
      throw error
    }
  }

  /** Ends the turn that is parked, if it is this one. */
  async stopParked(runId?: RunId): Promise<void> {
    const opened = await this.#memory.open()
    const { unfinished, waitsFor } = opened.stored?.state ?? {}
    if (!unfinished || !waitsFor || (runId !== undefined && runId !== unfinished.runId)) return
    await this.#occupy(undefined, (turn) => this.#giveUp(opened, turn))
  }

  /** Only a turn that waits is given up; one that was interrupted otherwise goes on first. */
  async #giveUpWaiting(opened: OpenThread, turn: RunningTurn): Promise<OpenThread> {
    if (!opened.stored?.state.waitsFor) {
      this.#onInterrupted()
      throw new InterruptedTurnError()
    }
    await this.#giveUp(opened, turn)
    return this.#memory.open()
  }

  /** Ends a parked turn: its calls are closed, also in its sub-agents. Observers withdraw its approvals. */
  async #giveUp(opened: OpenThread, turn: RunningTurn): Promise<TurnOutcome> {
    const signal = AbortSignal.abort(new Error('stopped while it waited'))
    const parts = { ...pastParts(opened), input: undefined, signal, inbox: new Inbox() }
    const outcome = await this.#perform(opened, parts, turn)
    // Before anybody learns of the end: the next turn must not find this past again.
    this.#memory.release()
    return outcome
  }

  /** Makes the thread busy while `work` runs. What leaves the turn unfinished parks the thread. */
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
      throw error
    }
  }

  /** Runs one turn. Throws `TurnParked` when it waits; its outcome then goes to the waiters of its run. */
  async #perform(
    opened: OpenThread,
    parts: TurnInput,
    running: RunningTurn,
    onBegun?: OnBegun,
  ): Promise<TurnOutcome> {
    const { agent, conversation, line, window, stored } = opened
    const turn = createTurn(agent, {
      conversation,
      window,
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

  /** The turn is parked, or has failed without an outcome. */
  async #leave(error: unknown, opened: OpenThread, runId: RunId, running: RunningTurn): Promise<TurnOutcome> {
    let reason = error
    const { aborted, reason: stoppedBy } = running.signal
    const isStopped = aborted && !(stoppedBy instanceof StoppingError)
    try {
      if (error instanceof TurnParked && !isStopped) await reportPark(opened, runId)
    } catch (fault) {
      reason = fault
    }
    this.#memory.release()
    if (reason instanceof TurnParked) {
      if (!isStopped) throw reason
      return this.#giveUp(await this.#memory.open(), running) // stopped while it was being parked
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

/** What became of a turn that was resumed. */
export type ResumedTurn = { readonly outcome: TurnOutcome | undefined } | { readonly parked: RunId }

/** The turn before was interrupted and has to be resumed first. */
class InterruptedTurnError extends TurnInProgressError {}

/** After these the turn has no end yet. */
const LEAVES_UNFINISHED = [TurnParked, StoreError, StoppingError, InterruptedTurnError]

function pastParts({ stored }: OpenThread): Pick<TurnParts, 'past' | 'refusals'> {
  return { past: stored!.state.unfinished!, refusals: stored!.refusals }
}

/** In its own commit: the park itself is durable already. */
async function reportPark({ line, stored }: OpenThread, runId: RunId): Promise<void> {
  await line.report(runId, { type: 'turn-park', waitsFor: [...stored!.waits] })
  await stored!.recorder.flush()
}
