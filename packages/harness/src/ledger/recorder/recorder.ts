import type { RunId, ThreadId, TurnEvent, Usage } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { CallIntent, RecordedCall, TurnObserver, TurnStart } from '../../seams/seams.ts'
import type { BudgetLimits } from '../../turn/budget.ts'
import type { Clock } from '../../turn/clock.ts'
import { roundMs } from '../../turn/clock.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { DeltaBody, EventSink } from '../../turn/event-line.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Message } from '../../turn/message/message.ts'
import { callsOf } from '../../turn/message/message.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import { EventAnnouncer } from './event-announcer.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { RecordBatch } from './record-batch.ts'

/** The longest time an event waits for its commit. */
const MAX_WAIT_MS = 25
/** How long a reply waits for the results of its calls, so that one commit holds both. */
const REPLY_WAIT_MS = 1

interface RecorderOptions {
  readonly ledger: Ledger
  readonly threadId: ThreadId
  readonly clock: Clock
  /** Called with each event after it is stored. */
  readonly announce: (event: TurnEvent) => void | Promise<void>
  /** Ids of conversations that the ledger already contains. */
  readonly opened?: Iterable<string>
}

/**
 * Writes a thread's turns to the ledger and announces an event only after it is stored. Records are gathered and
 * committed together at the points that must survive: the user's message, the assistant's message before its calls run,
 * the intent before a call that changes something, results before the model sees them, and the outcome. All other records
 * wait for the next such point or for `MAX_WAIT_MS`. After a commit fails, nothing is written or announced.
 *
 * When a commit takes time, calls that only read do not wait for it: it is written while they run. If a crash loses it, the
 * model is asked again, and nothing was changed.
 */
export class Recorder implements Required<EventSink>, TurnObserver {
  readonly #clock: Clock
  readonly #batch = new RecordBatch()
  readonly #writer: LedgerWriter
  readonly #announcer: EventAnnouncer
  readonly #openedConversations: Set<string>
  /** Runs at depth 0. Every other run belongs to a sub-agent. */
  readonly #turns = new Set<RunId>()
  /**
   * The first records of a run. They wait for its `turn-start`: a run that works beside others must not be committed
   * without it.
   */
  readonly #starting = new Map<RunId, LedgerRecord[]>()
  /** The delays after which a commit is due. */
  readonly #timers = new Set<number>()
  #isFlushQueued = false
  #closedBy: Error | undefined
  /** The sync that covers the message that started the turn. */
  #openingSync = 0
  /** A result was recorded, and the model was not asked since. */
  #hasNewResult = false
  /** True when this turn may have changed something outside, or has asked a person for approval. */
  #hasSideEffects = false

  constructor({ ledger, threadId, clock, announce, opened }: RecorderOptions) {
    this.#clock = clock
    this.#openedConversations = new Set(opened)
    this.#announcer = new EventAnnouncer(announce, () => this.#writer.isHeld)
    this.#writer = new LedgerWriter({
      ledger,
      threadId,
      batch: this.#batch,
      clock,
      onStored: (records) => this.#announcer.add(records),
      onSynced: () => this.#announcer.announceStored(),
      onFault: () => {
        this.#batch.clear()
        this.#announcer.clear()
      },
    })
  }

  /** Stops writing and announcing. Later writes throw `why`. */
  close(why: Error = new Error('the record of this turn is closed')): void {
    this.#closedBy = why
    this.#batch.clear()
  }

  // Events.

  report(event: TurnEvent): void | Promise<void> {
    const isEnd = event.type === 'turn-end'
    if (this.#isClosed && !isEnd) return
    if (event.type === 'turn-start' || isEnd) this.#addStart(event.runId)
    // One commit holds both, so an end is never recorded without its event, nor the event without the end.
    if (isEnd) this.add({ type: 'run-end', at: event.at, runId: event.runId, outcome: event.outcome })
    this.#batch.add({ type: 'event', at: event.at, event })
    if (this.#turns.has(event.runId)) {
      if (isEnd) return this.#endTurn()
      if (event.type === 'turn-start') return this.#beginTurn()
    }
    this.#setTimer()
    return this.#announcer.slow
  }

  merge(runId: RunId, delta: DeltaBody): boolean {
    return this.#batch.merge(runId, delta)
  }

  // Turn observer.

  turnStarted(run: RunContext, start: TurnStart): void {
    const { runId, conversationId, agent, depth, origin, parent, name, setup, branch } = run
    const at = run.clock.now()
    this.#throwIfClosed()
    if (depth === 0) this.#turns.add(runId)
    const records: LedgerRecord[] = []
    this.#starting.set(runId, records)
    if (!this.#openedConversations.has(conversationId)) {
      this.#openedConversations.add(conversationId)
      records.push({ type: 'conversation-open', at, conversationId, agent, system: start.system })
      if (start.announced)
        records.push({ type: 'surface-announced', at, conversationId, announced: start.announced })
    }
    const { model, text, messageId, output } = start
    const budget = toPlainLimits(run.budget.limits)
    const isSpawned = branch === runId ? (true as const) : undefined
    const about = { runId, conversationId, agent, depth, origin, model, parent, name, isSpawned, setup }
    records.push({ type: 'run-start', at, run: { ...about, messageId, output, budget, text } })
  }

  turnResumed({ runId, clock, depth }: RunContext): void {
    if (depth === 0) this.#turns.add(runId)
    this.add({ type: 'run-resume', at: clock.now(), runId })
  }

  messageAppended({ runId, clock, depth }: RunContext, message: Message): MaybePromise<void> {
    const at = clock.now()
    this.#addOf(runId, { type: 'message', at, runId, message })
    // From here on the message belongs to the conversation and no longer to the queue. Only a turn has a stored queue.
    if (depth === 0 && message.role === 'user' && message.queueId !== undefined)
      this.#addOf(runId, { type: 'message-dequeue', at, id: message.queueId })
    if (message.role === 'assistant' && callsOf(message).length > 0) return this.#storeReply()
  }

  surfaceAnnounced({ conversationId, clock }: RunContext, announced: readonly string[]): void {
    this.add({ type: 'surface-announced', at: clock.now(), conversationId, announced })
  }

  historyReplaced({ runId, clock }: RunContext, messages: readonly Message[]): void {
    this.add({ type: 'history-replace', at: clock.now(), runId, messages: [...messages] })
  }

  usageCounted({ runId, clock, budget }: RunContext, usage: Usage, model: string): void {
    const elapsedMs = roundMs(budget.elapsedMs)
    this.add({ type: 'usage', at: clock.now(), runId, model, usage, elapsedMs })
  }

  /** The model sees nothing that a killed process would lose. */
  modelCalling(): MaybePromise<void> {
    if (!this.#hasNewResult) return undefined
    this.#hasNewResult = false
    return this.flush()
  }

  callStarting({ runId, clock }: RunContext, { id }: ToolCall, intent: CallIntent): Promise<void> {
    this.add({ type: 'call-intent', at: clock.now(), runId, callId: id, ...intent })
    return this.commitAndSync()
  }

  callFinished({ runId, clock }: RunContext, finished: RecordedCall): void {
    const { message, polls, audit } = finished
    const { text: _, media: __, from: ___, own: ____, effect, ...result } = finished.result
    this.add({
      type: 'call-result',
      at: clock.now(),
      runId,
      result,
      message,
      effect,
      polls: polls ? true : undefined,
      audit,
    })
    this.#hasNewResult = true
    // A read can be repeated, so its result may wait until the model is asked.
    if (effect === 'write' || effect === 'admin') this.#flushSoon()
    else this.#setTimer()
  }

  // Writing.

  /** Adds a record to the batch. Throws after a failed write or after `close`. */
  add(record: LedgerRecord): void {
    this.#throwIfClosed()
    this.#batch.add(record)
    if (record.type === 'call-intent' || record.type === 'approval-open') this.#hasSideEffects = true
  }

  /** Adds a record of a run. One that is starting keeps it until its start is reported. */
  #addOf(runId: RunId, record: LedgerRecord): void {
    const starting = this.#starting.get(runId)
    if (starting) starting.push(record)
    else this.add(record)
  }

  #addStart(runId: RunId): void {
    const records = this.#starting.get(runId) ?? []
    this.#starting.delete(runId)
    for (const record of records) this.add(record)
  }

  #throwIfClosed(): void {
    this.#writer.throwFault()
    if (this.#closedBy) throw new RecordingError(this.#closedBy)
  }

  /** Commits the gathered records. After that a killed process does not lose them. */
  flush(): MaybePromise<void> {
    return this.#writer.flush()
  }

  /** Commits and syncs, then waits until the watchers have the events. After that a power cut loses nothing. */
  async commitAndSync(): Promise<void> {
    await this.#writer.commitAndSync()
    await this.#announcer.drain()
  }

  /** Commits, and waits for the disk only when events must: if the ledger announces after a sync. */
  async commitSafely(): Promise<void> {
    await this.flush()
    await this.#writer.whenPassed()
  }

  /** Settles when a power cut does not lose the message that started the turn. Undefined: it is safe already. */
  openingSynced(): Promise<void> | undefined {
    return this.#writer.synced(this.#openingSync)
  }

  /** A call that changes something or asks a person waits for a commit of its own, which holds the reply, too. */
  #storeReply(): MaybePromise<void> {
    if (!this.#writer.takesTime) return this.flush()
    this.#setTimer(REPLY_WAIT_MS)
  }

  get #isClosed(): boolean {
    return this.#closedBy !== undefined || this.#writer.hasFailed
  }

  /** Does not wait for the disk. A caller that must be sure waits for `openingSynced`. */
  #beginTurn(): MaybePromise<void> {
    this.#openingSync = this.#writer.numberSync()
    return this.flush()
  }

  /**
   * A turn without side effects does not wait for the disk. If a power cut loses its end, the turn is resumed and ends
   * again.
   */
  async #endTurn(): Promise<void> {
    const hasSideEffects = this.#hasSideEffects
    this.#hasSideEffects = false
    if (hasSideEffects) return this.commitAndSync()
    await this.commitSafely()
    // An earlier sync may still be running; its events are announced before this end.
    await this.#writer.whenFree()
    await this.#announcer.drain()
  }

  /** Commits at the end of this tick, together with everything else recorded in it. */
  #flushSoon(): void {
    if (this.#isFlushQueued) return
    this.#isFlushQueued = true
    queueMicrotask(() => {
      this.#isFlushQueued = false
      this.#flushInBackground()
    })
  }

  #setTimer(ms = MAX_WAIT_MS): void {
    if (this.#timers.has(ms)) return
    this.#timers.add(ms)
    this.#clock.after(ms, () => {
      this.#timers.delete(ms)
      this.#flushInBackground()
    })
  }

  #flushInBackground(): void {
    if (!this.#isClosed) this.#writer.flushInBackground()
  }
}

/** JSON holds only finite numbers: an infinite limit is left out, and any other non-finite limit becomes 0. */
function toPlainLimits(limits: BudgetLimits): BudgetLimits {
  const plain: Record<string, number> = {}
  for (const [kind, limit] of Object.entries(limits))
    if (limit !== undefined && limit !== Infinity) plain[kind] = Number.isFinite(limit) ? limit : 0
  return plain
}
