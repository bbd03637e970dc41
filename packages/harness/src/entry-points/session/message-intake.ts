import type { RunId, ThreadId, TurnOutcome } from '@capstan/protocol'
import type { UserInput } from '../../context/media.ts'
import { GO_ON } from '../../context/notices.ts'
import type { RunStore } from '../../ports/store.ts'
import {
  ConfigurationError,
  NotDeliveredError,
  RecordingError,
  TurnInProgressError,
} from '../../turn/errors.ts'
import type { Delivery } from '../../turn/inbox.ts'
import { newQueueId } from '../../turn/new-id.ts'
import type { MessageQueue, QueueEntry } from './message-queue.ts'
import type { RunWaiters } from './run-waiters.ts'
import type { ThreadMemory } from './thread-memory.ts'
import type { ThreadState } from './thread-state.ts'
import type { TurnInput, TurnRunner } from './turn-runner.ts'

/**
 * How a message is meant while a turn is running. `send` is refused then; `steer` reaches the model before its next call;
 * `follow-up` begins a turn after it; `interrupt` ends it and begins a turn.
 */
export type SubmitMode = 'send' | 'steer' | 'follow-up' | 'interrupt'

/** What may be said with a message. */
export interface SubmitOptions {
  /** Default `send`. */
  readonly mode?: SubmitMode
  /** The client's own id of the message: submitted twice, it is one message, and both get its outcome. Needs a store. */
  readonly messageId?: string
  /** Stops the turn that the message begins. */
  readonly signal?: AbortSignal
  /**
   * For `steer` and `follow-up`, when no turn is running or the running one ends without the message: `send` (default)
   * begins a turn with it, unless the user stopped the turn; `refuse` does not deliver it.
   */
  readonly fallback?: 'send' | 'refuse'
}

/** A message that was accepted. */
export interface Submission {
  /** The run it has begun. Undefined while it waits for the running turn, or for the turn after it. */
  readonly runId: RunId | undefined
  /** Whether the model gets to see it; settles when that is known. */
  readonly delivery: Promise<Delivery>
  /** The end of the turn that takes it, however long that is parked. Rejects when no turn does. */
  readonly outcome: Promise<TurnOutcome>
}

interface MessageIntakeOptions {
  readonly threadId: ThreadId
  readonly state: ThreadState
  readonly memory: ThreadMemory
  readonly runner: TurnRunner
  readonly queue: MessageQueue
  readonly waiters: RunWaiters
  /** Absent: nothing is stored. */
  readonly runs: RunStore | undefined
  /** Gets what went wrong in a turn that nobody awaits. */
  readonly onProblem: (error: unknown) => void
}

/** The one way in for what a person sends to a thread, and the one place that recognises a message sent twice. */
export class MessageIntake {
  readonly #options: MessageIntakeOptions
  /** Being accepted now, by message id. */
  readonly #accepting = new Map<string, Promise<Submission>>()

  constructor(options: MessageIntakeOptions) {
    this.#options = options
  }

  /** Settles as soon as the message is safe: committed and, with `isSynced`, on the disk. */
  submit(input: UserInput, options: SubmitOptions = {}, isSynced = true): Promise<Submission> {
    const { messageId } = options
    if (messageId === undefined || !this.#options.runs) return this.#accept(input, options, isSynced)
    let accepting = this.#accepting.get(messageId)
    if (!accepting) {
      accepting = this.#findDuplicate(messageId, this.#options.runs).then(
        (known) => known ?? this.#accept(input, options, isSynced),
      )
      this.#accepting.set(messageId, accepting)
      const forget = () => this.#accepting.delete(messageId)
      accepting.then(forget, forget)
    }
    return accepting
  }

  /** Goes on from a turn that ended at a cap. */
  async continue(resumeToken: string, signal?: AbortSignal): Promise<Submission> {
    const { state, memory, runner } = this.#options
    if (state.running) throw new TurnInProgressError()
    await memory.open()
    if (runner.resumeToken === undefined || resumeToken !== runner.resumeToken)
      throw new ConfigurationError('token', 'is not the one of the last capped turn')
    return this.#begin({ input: undefined, notice: GO_ON }, signal, true)
  }

  /** Begins a turn with the next queued message, if the thread is free. */
  startNext(): void {
    const { state, memory, runner, queue, onProblem } = this.#options
    if (state.type !== 'idle') return
    const entry = queue.takeNext(state.lastEnding)
    if (!entry) return
    const stored = memory.isStored ? { queueId: entry.id } : undefined
    let hasBegun = false
    const turn = runner.begin(
      { input: entry.text, delivery: 'follow-up', ...stored },
      undefined,
      (runId, sync) => {
        hasBegun = true
        entry.runId = runId
        const syncing = sync()
        if (syncing) syncing.then(() => queue.settleTaken(entry), ignore)
        else queue.settleTaken(entry)
      },
    )
    // Its outcome is announced as an event, and given to those who await the submission.
    turn.catch((error: unknown) => {
      if (!hasBegun && memory.isStored) queue.putBack(entry)
      else if (!hasBegun) queue.refuse(entry, 'the turn failed')
      onProblem(error)
    })
  }

  /** As the turn it began, or as a queued message. */
  async #findDuplicate(messageId: string, runs: RunStore): Promise<Submission | undefined> {
    const { threadId, memory, queue } = this.#options
    const run = await runs.findByMessage(threadId, messageId)
    if (run) return this.#begun(run.id, Promise.resolve(run.outcome))
    const { stored } = await memory.open()
    const entry = queue.find(messageId, stored?.state)
    return entry && this.#queued(entry)
  }

  async #accept(input: UserInput, options: SubmitOptions, isSynced: boolean): Promise<Submission> {
    const { state } = this.#options
    const { mode = 'send', messageId, signal, fallback = 'send' } = options
    const turn = messageId === undefined ? { input } : { input, messageId }
    if (mode === 'steer' || mode === 'follow-up') {
      if (state.running) return this.#queue(input, mode, fallback, messageId)
      const waitsFor = await this.#waitsFor()
      if (fallback === 'refuse') return refused(waitsFor ? `the turn waits for ${waitsFor.kind}` : NO_TURN)
      if (waitsFor) throw new TurnInProgressError(waitsFor)
    }
    if (mode === 'interrupt') {
      state.running?.stop(new Error('stopped by the user'))
      await state.idle()
    }
    return this.#begin(turn, signal, isSynced)
  }

  async #waitsFor() {
    const { memory } = this.#options
    return memory.isStored ? (await memory.open()).stored?.state.waitsFor : undefined
  }

  async #queue(
    input: UserInput,
    mode: 'steer' | 'follow-up',
    fallback: 'send' | 'refuse',
    id: string = newQueueId(),
  ): Promise<Submission> {
    const { state, memory, queue } = this.#options
    if (typeof input === 'object' && (input.attachments?.length ?? 0) > 0)
      throw new ConfigurationError('attachments', 'can only come with a message that begins a turn')
    const text = typeof input === 'string' ? input : input.text
    const turn = state.running!
    const opening = memory.open()
    const { stored } = opening instanceof Promise ? await opening : opening
    const entry = stored
      ? await queue.record({ id, text, fallback }, mode, stored.recorder).catch(throwCause)
      : queue.add({ id, text, fallback })
    // Meanwhile the turn may have been parked and resumed, and then it has the message; or it has ended, and the message
    // begins the next one.
    if (entry.place !== 'new') return this.#queued(entry)
    if (mode === 'steer') void queue.steer(entry, turn)
    else queue.follow(entry)
    return this.#queued(entry)
  }

  #begin(turn: TurnInput, signal: AbortSignal | undefined, isSynced: boolean): Promise<Submission> {
    const { promise, resolve, reject } = Promise.withResolvers<Submission>()
    const end: Promise<TurnOutcome | undefined> = this.#options.runner.begin(turn, signal, (runId, sync) => {
      const accept = () => resolve(this.#begun(runId, end))
      const syncing = isSynced ? sync() : undefined
      if (syncing) syncing.then(accept, (error: unknown) => reject(causeOf(error)))
      else accept()
    })
    end.catch(reject)
    return promise
  }

  /** A parked turn holds no memory: only somebody who asks for its outcome makes the session wait for it. */
  #begun(runId: RunId, end: Promise<TurnOutcome | undefined>): Submission {
    const { waiters } = this.#options
    return lazily(runId, TAKEN, () => end.then((outcome) => outcome ?? waiters.find(runId)))
  }

  #queued(entry: QueueEntry): Submission {
    const { waiters, runs } = this.#options
    const find = async (): Promise<TurnOutcome> => {
      const delivery = await entry.delivery
      if (!delivery.delivered) throw new NotDeliveredError(delivery.reason)
      if (!entry.runId) throw new NotDeliveredError('the turn that took it is not known any more')
      return runs ? waiters.find(entry.runId) : waiters.wait(entry.runId)
    }
    const submission = lazily(undefined, entry.delivery, find)
    // Without a store an outcome cannot be found later.
    if (!runs) void submission.outcome
    return submission
  }
}

function lazily(
  runId: RunId | undefined,
  delivery: Promise<Delivery>,
  find: () => Promise<TurnOutcome>,
): Submission {
  let outcome: Promise<TurnOutcome> | undefined
  return {
    runId,
    delivery,
    get outcome() {
      if (!outcome) {
        outcome = find()
        outcome.catch(ignore) // an outcome nobody awaits is no unhandled rejection
      }
      return outcome
    },
  }
}

const refused = (reason: string): Submission =>
  lazily(undefined, Promise.resolve({ delivered: false, reason }), () =>
    Promise.reject(new NotDeliveredError(reason)),
  )

const NO_TURN = 'no turn is running'

const TAKEN: Promise<Delivery> = Promise.resolve({ delivered: true, iteration: 1 })

const causeOf = (error: unknown): unknown => (error instanceof RecordingError ? error.cause : error)

function throwCause(error: unknown): never {
  throw causeOf(error)
}

const ignore = (): void => {}
