import type { QueueMode, RunId, ThreadId, TurnOutcome } from '@capstan/protocol'
import type { UserInput } from '../../context/media.ts'
import { GO_ON } from '../../context/notices.ts'
import type { ApprovalStore, RunStore } from '../../ports/store.ts'
import {
  ConfigurationError,
  NotDeliveredError,
  RecordingError,
  TurnInProgressError,
} from '../../turn/errors.ts'
import { hideKnown } from '../../tool-path/scrub/known-secrets.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import type { Delivery } from '../../turn/message/inbox.ts'
import type { OutcomeWith, OutputSchema } from '../../turn/output-schema.ts'
import type { Unattended } from '../../turn/unattended.ts'
import { newQueueId } from '../../turn/new-id.ts'
import type { TurnOptions } from '../agent-options.ts'
import type { MessageQueue, QueueEntry } from './message-queue.ts'
import type { RunWaiters } from './run-waiters.ts'
import type { ThreadMemory } from './thread-memory.ts'
import type { ThreadState } from './thread-state.ts'
import type { OnBegun, TurnInput, TurnRunner } from './turn-runner.ts'

/**
 * What a message does while a turn is running. `send` is refused; `steer` reaches the model before its next call;
 * `follow-up` starts the next turn; `interrupt` ends the running turn and starts a new one; `queue` follows up or
 * interrupts, as the queue mode of the thread says.
 */
export type SubmitMode = 'send' | 'steer' | 'follow-up' | 'interrupt' | 'queue'

/** Options of a message. `modelOptions` and `output` need a message that starts a turn at once. */
export interface SubmitOptions<
  Schema extends OutputSchema | undefined = OutputSchema | undefined,
> extends TurnOptions<Schema> {
  /** Default `send`. */
  readonly mode?: SubmitMode
  /** The client's id of the message. With a store, two submissions of one id are one message with one outcome. */
  readonly messageId?: string
  /** Stops the turn that the message starts. */
  readonly signal?: AbortSignal
  /**
   * For `steer`, `follow-up` and `queue` when no turn is running, or the running one ends without the message. `send`
   * (default) starts a turn with it, unless the user stopped the turn; `refuse` does not deliver it.
   */
  readonly fallback?: 'send' | 'refuse'
  /**
   * For a message that no person sends just now. Only calls that read run by themselves in its turn; every other one asks,
   * and the turn is parked until a person answers. Only with the mode `send`, and refused while another turn of the thread
   * is running or waits. It is stored with the turn.
   */
  readonly unattended?: Unattended
}

/** Options of the turn that continues a capped one. */
export type ContinueOptions<Schema extends OutputSchema | undefined = OutputSchema | undefined> =
  TurnOptions<Schema> & Pick<SubmitOptions, 'signal'>

/** An accepted message. */
export interface Submission<Output = undefined> {
  /** The run it started. Undefined for a queued message. */
  readonly runId: RunId | undefined
  /** Settles when it is known whether the model gets the message. */
  readonly delivery: Promise<Delivery>
  /** The outcome of the turn that takes it, even after a long wait. Rejects when no turn takes it. */
  readonly outcome: Promise<OutcomeWith<Output>>
}

interface MessageIntakeOptions {
  readonly threadId: ThreadId
  readonly state: ThreadState
  readonly memory: ThreadMemory
  readonly runner: TurnRunner
  readonly queue: MessageQueue
  readonly waiters: RunWaiters
  /** The queue mode of now. */
  readonly queueMode: () => QueueMode
  /** Undefined: nothing is stored. */
  readonly runs: RunStore | undefined
  readonly approvals: Pick<ApprovalStore, 'findByMessage'> | undefined
  /** Called with the error of a turn that no caller awaits. */
  readonly onProblem: (error: unknown) => void
}

interface Durability {
  readonly isSynced: boolean
}

const SYNCED: Durability = { isSynced: true }

/** Accepts every message of the user. The only place that recognises a message sent twice. */
export class MessageIntake {
  readonly #options: MessageIntakeOptions
  /** Submissions in progress, by message id. */
  readonly #accepting = new Map<string, Promise<Submission>>()
  /** Messages that wait for the end of the turn they stop. */
  #interrupts = 0

  constructor(options: MessageIntakeOptions) {
    this.#options = options
  }

  /** Settles when the message is on disk. With `isSynced: false`, when it is committed. */
  submit(
    input: UserInput,
    options: SubmitOptions = {},
    { isSynced }: Durability = SYNCED,
  ): Promise<Submission> {
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

  /** Whether a message with this id was accepted before. */
  async hasMessage(messageId: string): Promise<boolean> {
    const { runs } = this.#options
    if (!runs) return false
    return this.#accepting.has(messageId) || (await this.#findDuplicate(messageId, runs)) !== undefined
  }

  /** Starts a turn that continues one that ended at a cap. */
  async continue(resumeToken: string, options: ContinueOptions = {}): Promise<Submission> {
    const { state, memory, runner } = this.#options
    await state.leaving()
    if (state.running) throw new TurnInProgressError()
    await memory.open()
    if (runner.resumeToken === undefined || resumeToken !== runner.resumeToken)
      throw new ConfigurationError('token', 'does not belong to the last capped turn')
    return this.#begin({ input: undefined, notice: GO_ON, ...turnOptionsOf(options) }, options.signal, true)
  }

  /** Starts a turn with the next queued message, or with all of them, when the thread is idle. */
  startNext(): void {
    const { state, memory, queue, queueMode, onProblem } = this.#options
    if (state.type !== 'idle' || this.#interrupts > 0) return
    const entries = queue.takeNext(state.lastEnding, queueMode() === 'collect' ? 'all' : 'one')
    const last = entries.at(-1)
    if (!last) return
    const stored = memory.isStored ? { queueId: last.id, messageId: last.id } : undefined
    const turn: TurnInput = { input: last.text, delivery: 'follow-up', ...stored }
    // The outcome reaches watchers as an event and senders through their submission.
    this.#run({ ...turn, ...this.#earlier(entries.slice(0, -1)) }, undefined, entries).catch(onProblem)
  }

  #earlier(entries: readonly QueueEntry[]): Pick<TurnInput, 'earlier'> | undefined {
    if (entries.length === 0) return undefined
    const { isStored } = this.#options.memory
    return { earlier: entries.map(({ id, text }) => (isStored ? { id, text } : { text })) }
  }

  /** Runs a turn that takes these messages from the queue. If it cannot start, they wait again. */
  #run(
    turn: TurnInput,
    signal: AbortSignal | undefined,
    entries: readonly QueueEntry[],
    onBegun?: OnBegun,
  ): Promise<TurnOutcome | undefined> {
    const { runner, queue } = this.#options
    let hasBegun = false
    const end = runner.begin(turn, signal, (runId, sync) => {
      hasBegun = true
      for (const entry of entries) entry.runId = runId
      const syncing = entries.length > 0 ? sync() : undefined
      if (syncing) syncing.then(() => queue.settleTaken(entries), ignore)
      else queue.settleTaken(entries)
      onBegun?.(runId, sync)
    })
    end.catch(() => {
      if (!hasBegun) queue.giveBack(entries)
    })
    return end
  }

  /** Finds a message by its id: as the start of a turn, as the answer to an approval, or in the queue. */
  async #findDuplicate(messageId: string, runs: RunStore): Promise<Submission | undefined> {
    const { threadId, memory, queue, approvals } = this.#options
    const run = await runs.findByMessage(threadId, messageId)
    if (run) return this.#begun(run.id, Promise.resolve(run.outcome))
    const answered = await approvals?.findByMessage(threadId, messageId)
    if (answered) return this.#begun(answered.runId, Promise.resolve(undefined))
    const { stored } = await memory.open()
    const entry = queue.find(messageId, stored?.state)
    return entry && this.#queued(entry)
  }

  async #accept(input: UserInput, options: SubmitOptions, isSynced: boolean): Promise<Submission> {
    const { state } = this.#options
    const { messageId, signal, fallback = 'send', unattended } = options
    const mode = this.#modeOf(options)
    if (unattended && mode !== 'send')
      throw new ConfigurationError('unattended', 'can only be given with a message that starts a turn')
    const turn = {
      input,
      ...(unattended && { unattended }),
      ...(messageId === undefined ? undefined : { messageId }),
      ...turnOptionsOf(options),
    }
    if (mode === 'steer' || mode === 'follow-up') {
      if (state.running) {
        refuseTurnOptions(options)
        return this.#queue(input, mode, fallback, messageId)
      }
      const waitsFor = await this.#waitsFor()
      if (fallback === 'refuse') return refused(waitsFor ? `the turn waits for ${waitsFor.kind}` : NO_TURN)
      if (waitsFor) throw new TurnInProgressError(waitsFor)
    }
    if (mode === 'interrupt' && state.running) return this.#interrupt(turn, signal, isSynced)
    return this.#begin(turn, signal, isSynced)
  }

  #modeOf({ mode = 'send' }: SubmitOptions): Exclude<SubmitMode, 'queue'> {
    if (mode !== 'queue') return mode
    return this.#options.queueMode() === 'interrupt' ? 'interrupt' : 'follow-up'
  }

  /** Ends the running turn and starts another one. Messages that waited for the turn come before this one. */
  async #interrupt(turn: TurnInput, signal: AbortSignal | undefined, isSynced: boolean): Promise<Submission> {
    const { state, queue } = this.#options
    this.#interrupts++
    try {
      for (let running = state.running; running; running = state.running) {
        running.stop(new Error('stopped by the user'))
        await running.end
      }
      return this.#begin(turn, signal, isSynced, state.type === 'idle' ? queue.takeAlong() : [])
    } finally {
      this.#interrupts--
    }
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
    if (typeof input === 'object' && (input.untrusted || (input.attachments?.length ?? 0) > 0))
      throw new ConfigurationError('attachments', 'can only be given with a message that starts a turn')
    const turn = state.running!
    const opening = memory.open()
    const { stored, agent } = opening instanceof Promise ? await opening : opening
    const text = hideKnown(typeof input === 'string' ? input : input.text, agent.services.secrets)
    const entry = stored
      ? await queue.record({ id, text, fallback }, mode, stored.recorder).catch(throwCause)
      : queue.add({ id, text, fallback })
    // Meanwhile the turn may have been parked and resumed, and then has the message. Or it has ended, and the message
    // starts the next turn.
    if (entry.place !== 'new') return this.#queued(entry)
    if (mode === 'steer') void queue.steer(entry, turn)
    else queue.follow(entry)
    return this.#queued(entry)
  }

  #begin(
    turn: TurnInput,
    signal: AbortSignal | undefined,
    isSynced: boolean,
    entries: readonly QueueEntry[] = [],
  ): Promise<Submission> {
    const { promise, resolve, reject } = Promise.withResolvers<Submission>()
    const whole = { ...turn, ...this.#earlier(entries) }
    const end: Promise<TurnOutcome | undefined> = this.#run(whole, signal, entries, (runId, sync) => {
      const accept = () => resolve(this.#begun(runId, end))
      const syncing = isSynced ? sync() : undefined
      if (syncing) syncing.then(accept, (error: unknown) => reject(causeOf(error)))
      else accept()
    })
    end.catch(reject)
    return promise
  }

  /** A parked turn holds no memory. The session waits for its outcome only when a caller reads `outcome`. */
  #begun(runId: RunId, end: Promise<TurnOutcome | undefined>): Submission {
    const { waiters } = this.#options
    return lazily(runId, TAKEN, () => end.then((outcome) => outcome ?? waiters.find(runId)))
  }

  #queued(entry: QueueEntry): Submission {
    const { waiters, runs } = this.#options
    const find = async (): Promise<TurnOutcome> => {
      const delivery = await entry.delivery
      if (!delivery.delivered) throw new NotDeliveredError(delivery.reason)
      if (!entry.runId) throw new NotDeliveredError('the turn that took it is no longer known')
      return runs ? waiters.find(entry.runId) : waiters.wait(entry.runId)
    }
    const submission = lazily(undefined, entry.delivery, find)
    // Without a store the outcome cannot be found later, so wait for it now.
    if (!runs) void submission.outcome
    return submission
  }
}

const turnOptionsOf = ({ modelOptions, output }: TurnOptions): TurnOptions | undefined =>
  modelOptions || output
    ? { ...(modelOptions ? { modelOptions } : undefined), ...(output ? { output } : undefined) }
    : undefined

function refuseTurnOptions(options: TurnOptions): void {
  for (const name of ['modelOptions', 'output'] as const) {
    if (options[name])
      throw new ConfigurationError(name, 'can only be given with a message that starts a turn')
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
        outcome.catch(ignore) // no unhandled rejection when no caller awaits it
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
