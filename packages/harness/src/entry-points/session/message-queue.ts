import type { RunId } from '@capstan/protocol'
import type { ResumeState } from '../../ledger/restore-thread.ts'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { Clock } from '../../turn/clock.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import type { Delivery } from '../../turn/message/inbox.ts'
import type { LastEnding, RunningTurn } from './thread-state.ts'

/** A message for the running turn or the one after it. */
export interface QueuedMessage {
  readonly id: string
  readonly text: string
  /** Whether it starts a new turn when the running one ends without it. */
  readonly fallback: 'send' | 'refuse'
}

/** A queued message and its delivery. */
export interface QueueEntry extends QueuedMessage {
  readonly delivery: Promise<Delivery>
  readonly settle: (delivery: Delivery) => void
  readonly abandon: (why: Error) => void
  /** `new`: recorded, but not given to a turn. `starting`: a turn is about to start with it. */
  place: 'new' | 'inbox' | 'follow-up' | 'starting' | 'settled' | 'refused'
  /** The recorder that records its delivery. */
  settledBy?: Recorder | undefined
  /** The run that took it. */
  runId?: RunId
}

interface MessageQueueOptions {
  readonly clock: Clock
  readonly isStored: boolean
  /** The recorder of the thread while it is open. */
  readonly recorder: () => Recorder | undefined
  /** Opens the thread for its recorder. Only called with a store. */
  readonly openRecorder: () => Promise<Recorder>
  /** A message is ready to start a turn. */
  readonly onFollowUp: () => void
}

/**
 * Queues messages for the running turn. With a store, each message is recorded before it is accepted, and stays recorded
 * until the model has it or it is refused.
 */
export class MessageQueue {
  readonly #clock: Clock
  readonly #isStored: boolean
  /** The recorder of the open thread. Undefined: the thread is not open, or nothing is stored. */
  readonly #recorder: () => Recorder | undefined
  readonly #openRecorder: () => Promise<Recorder>
  readonly #onFollowUp: () => void
  /** The messages queued in this process, by id. */
  readonly #entries = new Map<string, QueueEntry>()
  #followUps: QueueEntry[] = []
  /** Refusals that are being recorded. None of them rejects. */
  readonly #recording = new Set<Promise<void>>()

  constructor(options: MessageQueueOptions) {
    this.#clock = options.clock
    this.#isStored = options.isStored
    this.#recorder = options.recorder
    this.#openRecorder = options.openRecorder
    this.#onFollowUp = options.onFollowUp
  }

  get hasFollowUps(): boolean {
    return this.#followUps.length > 0
  }

  /** The message with this id, queued in this process or before a restart. */
  find(id: string, state: ResumeState | undefined): QueueEntry | undefined {
    const known = this.#entries.get(id)
    if (known) return known
    const delivery = state?.deliveries.get(id)
    if (delivery) return settled(id, delivery, state?.takenBy.get(id))
    const queued = state?.queued.find((one) => one.id === id)
    return queued && this.add({ id, text: queued.text, fallback: 'send' })
  }

  /** Records and queues a message. Rejects, and does not queue it, when it cannot be recorded. */
  async record(message: QueuedMessage, mode: 'steer' | 'follow-up', recorder: Recorder): Promise<QueueEntry> {
    const entry = this.add(message)
    const { id, text } = message
    try {
      recorder.add({ type: 'message-queue', at: this.#clock.now(), id, mode, text })
      await recorder.commitAndSync()
    } catch (error) {
      this.#entries.delete(id)
      throw error
    }
    return entry
  }

  /** Puts the message into the inbox of the running turn, for its next iteration. */
  async steer(entry: QueueEntry, turn: RunningTurn): Promise<void> {
    entry.place = 'inbox'
    const delivery = await turn.inbox.post(entry.text, this.#isStored ? entry.id : undefined)
    if (delivery.delivered) {
      if (turn.runId) entry.runId = turn.runId
      this.#settle(entry, delivery)
    } else if (entry.fallback === 'send') this.follow(entry)
    else this.refuse(entry, delivery.reason)
  }

  /** Makes the message start a turn after the running one, or at once. */
  follow(entry: QueueEntry): void {
    entry.place = 'follow-up'
    this.#followUps.push(entry)
    this.#onFollowUp()
  }

  /** Queues messages that were recorded before a restart and not delivered. Without a running turn, each starts one. */
  restore({ queued }: ResumeState, turn: RunningTurn | undefined): void {
    for (const { id, mode, text } of queued) {
      const entry = this.#entries.get(id) ?? this.add({ id, text, fallback: 'send' })
      if (this.#isHandled(entry)) continue
      if (mode === 'steer' && turn) void this.steer(entry, turn)
      else this.follow(entry)
    }
  }

  /** A settled message counts only while its recorder is in use: after a failed commit it is queued again. */
  #isHandled({ place, settledBy }: QueueEntry): boolean {
    return place === 'settled' ? settledBy === this.#recorder() : place !== 'new'
  }

  /**
   * The messages that start the next turn, oldest first: one, or all of them. Refuses the messages that the last ending
   * does not allow.
   */
  takeNext(ending: LastEnding, howMany: 'one' | 'all'): readonly QueueEntry[] {
    this.#refuseAfter(ending, ({ fallback }) => ending === 'aborted' || fallback === 'refuse')
    return this.#take(howMany === 'all' ? this.#followUps.length : 1)
  }

  /** The messages that a message takes along which interrupts the turn they waited for. */
  takeAlong(): readonly QueueEntry[] {
    this.#refuseAfter('aborted', ({ fallback }) => fallback === 'refuse')
    return this.#take(this.#followUps.length)
  }

  #refuseAfter(ending: LastEnding, isRefused: (entry: QueueEntry) => boolean): void {
    const reason = REFUSES_FOLLOW_UPS[ending]
    if (reason === undefined) return
    const refused = this.#followUps.filter(isRefused)
    this.#followUps = this.#followUps.filter((entry) => !refused.includes(entry))
    for (const entry of refused) this.refuse(entry, reason)
  }

  #take(count: number): readonly QueueEntry[] {
    const taken = this.#followUps.splice(0, count)
    for (const entry of taken) entry.place = 'starting'
    return taken
  }

  /** Messages whose turn could not start wait again. Without a store they are refused: nobody would start them. */
  giveBack(entries: readonly QueueEntry[]): void {
    if (!this.#isStored) {
      for (const entry of entries) this.refuse(entry, 'the turn failed')
      return
    }
    for (const entry of entries) entry.place = 'follow-up'
    this.#followUps.unshift(...entries)
  }

  /** Settles messages that have started a turn. */
  settleTaken(entries: readonly QueueEntry[]): void {
    for (const entry of entries) this.#settle(entry, { delivered: true, iteration: 1 })
  }

  /** Settles a message that no turn takes, and records that. */
  refuse(entry: QueueEntry, reason: string): void {
    entry.place = 'refused'
    if (this.#isStored) this.#trackRecording(this.#recordRefused(entry, reason).catch(entry.abandon))
    else this.#settle(entry, { delivered: false, reason })
  }

  #trackRecording(work: Promise<void>): void {
    this.#recording.add(work)
    void work.finally(() => this.#recording.delete(work))
  }

  /** Settles when no refusal is being recorded. */
  async recorded(): Promise<void> {
    while (this.#recording.size > 0) await Promise.all(this.#recording)
  }

  /**
   * The sender learns of the refusal after it is recorded. When recording fails, the message stays queued in the ledger
   * and starts a turn when the thread is resumed.
   */
  async #recordRefused(entry: QueueEntry, reason: string): Promise<void> {
    const recorder = this.#recorder() ?? (await this.#openRecorder())
    recorder.add({ type: 'message-dequeue', at: this.#clock.now(), id: entry.id, refused: reason })
    await recorder.flush()
    entry.settle({ delivered: false, reason })
  }

  /** The process stops: messages that wait are delivered after the restart, and nobody here learns how. */
  abandon(why: Error): void {
    for (const entry of this.#entries.values()) entry.abandon(why)
  }

  /** Adds a message without recording it. */
  add(message: QueuedMessage): QueueEntry {
    const { promise: delivery, resolve: settle, reject: abandon } = Promise.withResolvers<Delivery>()
    delivery.catch(ignore) // a delivery that nobody awaits is no unhandled rejection
    const entry: QueueEntry = { ...message, delivery, settle, abandon, place: 'new' }
    this.#entries.set(message.id, entry)
    return entry
  }

  #settle(entry: QueueEntry, delivery: Delivery): void {
    entry.place = 'settled'
    entry.settledBy = this.#recorder()
    entry.settle(delivery)
    // With a store the ledger has the delivery from now on.
    if (!this.#isStored) this.#entries.delete(entry.id)
  }
}

function settled(id: string, delivery: Delivery, runId: RunId | undefined): QueueEntry {
  const entry: QueueEntry = {
    id,
    text: '',
    fallback: 'refuse',
    delivery: Promise.resolve(delivery),
    settle: ignore,
    abandon: ignore,
    place: 'settled',
  }
  return runId === undefined ? entry : { ...entry, runId }
}

const REFUSES_FOLLOW_UPS: Readonly<Record<LastEnding, string | undefined>> = {
  done: undefined,
  halted: undefined,
  capped: undefined,
  'needs-input': 'the turn ended with a question',
  aborted: 'the turn was stopped',
  failed: 'the turn failed',
}
