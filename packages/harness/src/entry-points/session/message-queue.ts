import type { RunId } from '@capstan/protocol'
import type { ResumeState } from '../../ledger/restore-thread.ts'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { Clock } from '../../turn/clock.ts'
import type { Delivery } from '../../turn/inbox.ts'
import type { LastEnding, RunningTurn } from './thread-state.ts'

/** A message for a turn that is running, or for the turn after it. */
export interface QueuedMessage {
  readonly id: string
  readonly text: string
  /** Whether it becomes a turn of its own when the running one ends without it. */
  readonly fallback: 'send' | 'refuse'
}

/** A message with what becomes of it. */
export interface QueueEntry extends QueuedMessage {
  readonly delivery: Promise<Delivery>
  readonly settle: (delivery: Delivery) => void
  /** `new`: recorded, and not yet given to a turn. `starting`: a turn is about to begin with it. */
  place: 'new' | 'inbox' | 'follow-up' | 'starting' | 'settled'
  /** Who records that it is settled. */
  settledBy?: Recorder | undefined
  /** The run that took it. */
  runId?: RunId
}

/**
 * Messages for a turn that is running. With a store each is recorded before it is accepted, and stays recorded until
 * the model has seen it or its sender learned why not.
 */
export class MessageQueue {
  readonly #clock: Clock
  /** Of the thread as it is open now. Undefined: nothing is stored. */
  readonly #recorder: () => Recorder | undefined
  readonly #onFollowUp: () => void
  /** In this process, by id. */
  readonly #entries = new Map<string, QueueEntry>()
  #followUps: QueueEntry[] = []

  /** `onFollowUp`: a message is ready to begin a turn. */
  constructor(clock: Clock, recorder: () => Recorder | undefined, onFollowUp: () => void) {
    this.#clock = clock
    this.#recorder = recorder
    this.#onFollowUp = onFollowUp
  }

  get hasFollowUps(): boolean {
    return this.#followUps.length > 0
  }

  /** The message that was queued under this id, now or before a restart. */
  find(id: string, state: ResumeState | undefined): QueueEntry | undefined {
    const known = this.#entries.get(id)
    if (known) return known
    const delivery = state?.deliveries.get(id)
    if (delivery) return settled(id, delivery, state?.takenBy.get(id))
    const queued = state?.queued.find((one) => one.id === id)
    return queued && this.add({ id, text: queued.text, fallback: 'send' })
  }

  /** Records a message. Rejects when it cannot be recorded; then it was never queued. */
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

  /** Shows the message to the running turn at its next iteration. */
  async steer(entry: QueueEntry, turn: RunningTurn): Promise<void> {
    entry.place = 'inbox'
    const delivery = await turn.inbox.post(entry.text, this.#recorder() && entry.id)
    if (delivery.delivered) {
      if (turn.runId) entry.runId = turn.runId
      this.#settle(entry, delivery)
    } else if (entry.fallback === 'send') this.follow(entry)
    else this.refuse(entry, delivery.reason)
  }

  /** Lets the message begin a turn after the running one, or at once. */
  follow(entry: QueueEntry): void {
    entry.place = 'follow-up'
    this.#followUps.push(entry)
    this.#onFollowUp()
  }

  /** Takes in what was recorded before a restart and not yet delivered. Without a turn, each begins one. */
  restore({ queued }: ResumeState, turn: RunningTurn | undefined): void {
    for (const { id, mode, text } of queued) {
      const entry = this.#entries.get(id) ?? this.add({ id, text, fallback: 'send' })
      if (this.#isHandled(entry)) continue
      if (mode === 'steer' && turn) void this.steer(entry, turn)
      else this.follow(entry)
    }
  }

  /** A message counts as settled only while its recorder is in use: a failed commit puts it back into the queue. */
  #isHandled({ place, settledBy }: QueueEntry): boolean {
    return place === 'settled' ? settledBy === this.#recorder() : place !== 'new'
  }

  /** The message that begins the next turn. The others are refused when the last ending allows no follow-up. */
  takeNext(ending: LastEnding): QueueEntry | undefined {
    const reason = REFUSES_FOLLOW_UPS[ending]
    if (reason !== undefined) {
      const refused = this.#followUps.filter(({ fallback }) => ending === 'aborted' || fallback === 'refuse')
      this.#followUps = this.#followUps.filter((entry) => !refused.includes(entry))
      for (const entry of refused) this.refuse(entry, reason)
    }
    const next = this.#followUps.shift()
    if (next) next.place = 'starting'
    return next
  }

  /** Its turn could not begin. */
  putBack(entry: QueueEntry): void {
    entry.place = 'follow-up'
    this.#followUps.unshift(entry)
  }

  /** A turn has begun with it. */
  settleTaken(entry: QueueEntry): void {
    this.#settle(entry, { delivered: true, iteration: 1 })
  }

  refuse(entry: QueueEntry, reason: string): void {
    this.#settle(entry, { delivered: false, reason })
    const recorder = this.#recorder()
    try {
      recorder?.add({ type: 'message-dequeue', at: this.#clock.now(), id: entry.id, refused: reason })
      void Promise.resolve(recorder?.flush()).catch(ignore)
    } catch {
      // It stays in the queue, and begins a turn when the thread is resumed.
    }
  }

  /** Takes a message that nothing outlives. */
  add(message: QueuedMessage): QueueEntry {
    const { promise: delivery, resolve: settle } = Promise.withResolvers<Delivery>()
    const entry: QueueEntry = { ...message, delivery, settle, place: 'new' }
    this.#entries.set(message.id, entry)
    return entry
  }

  #settle(entry: QueueEntry, delivery: Delivery): void {
    entry.place = 'settled'
    entry.settledBy = this.#recorder()
    entry.settle(delivery)
    // With a store the record answers from here on, as soon as the thread is read again.
    if (!this.#recorder()) this.#entries.delete(entry.id)
  }
}

function settled(id: string, delivery: Delivery, runId: RunId | undefined): QueueEntry {
  const entry: QueueEntry = {
    id,
    text: '',
    fallback: 'refuse',
    delivery: Promise.resolve(delivery),
    settle: ignore,
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

const ignore = (): void => {}
