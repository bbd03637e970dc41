import type { RunId, ThreadId, TurnEvent, Usage } from '@capstan/protocol'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { CallIntent, FinishedCall, TurnObserver, TurnStart } from '../../seams/seams.ts'
import type { BudgetLimits } from '../../turn/budget.ts'
import type { Clock } from '../../turn/clock.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { DeltaBody, EventSink } from '../../turn/event-line.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Message } from '../../turn/message.ts'
import { callsOf } from '../../turn/message.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { ToolCall } from '../../turn/tool-call.ts'
import { EventAnnouncer } from './event-announcer.ts'
import { LedgerWriter } from './ledger-writer.ts'
import { RecordBatch } from './record-batch.ts'

/** No event waits longer than this for its commit. */
const MAX_WAIT_MS = 25

interface RecorderOptions {
  readonly ledger: Ledger
  readonly threadId: ThreadId
  readonly clock: Clock
  /** Gets each event after it was stored. */
  readonly announce: (event: TurnEvent) => void | Promise<void>
  /** Conversations that are in the ledger already. */
  readonly opened?: Iterable<string>
}

/**
 * Writes a thread's turns into the ledger, and announces an event only after it was stored. Records are gathered and
 * committed together at the points that must survive: the user's message, the assistant's message before its calls run,
 * the intent before a call that changes something, its result, and the outcome. Everything else, results of reads
 * included, waits for the next of these points, or a moment. After a commit has failed it writes and announces nothing.
 */
export class Recorder implements Required<EventSink>, TurnObserver {
  readonly #clock: Clock
  readonly #batch = new RecordBatch()
  readonly #writer: LedgerWriter
  readonly #announcer: EventAnnouncer
  readonly #openedConversations: Set<string>
  /** The turns; every other run is a sub-agent's. */
  readonly #turns = new Set<RunId>()
  #isTimerSet = false
  #isFlushQueued = false
  #closedBy: Error | undefined
  /** Stands for the message that began the turn. */
  #openingSync = 0
  /** Something in this turn may have changed the world, or was asked of a person. */
  #hasSideEffects = false

  constructor({ ledger, threadId, clock, announce, opened }: RecorderOptions) {
    this.#clock = clock
    this.#openedConversations = new Set(opened)
    this.#announcer = new EventAnnouncer(announce, () => this.#writer.isHeld)
    this.#writer = new LedgerWriter({
      ledger,
      threadId,
      batch: this.#batch,
      onStored: (records) => this.#announcer.add(records),
      onSynced: () => this.#announcer.announceStored(),
      onFault: () => {
        this.#batch.clear()
        this.#announcer.clear()
      },
    })
  }

  /** Nothing more is written or announced: the run goes on elsewhere, or not at all. Later writes throw `why`. */
  close(why: Error = new Error('the record of this turn is closed')): void {
    this.#closedBy = why
    this.#batch.clear()
  }

  // Events.

  report(event: TurnEvent): void | Promise<void> {
    const isEnd = event.type === 'turn-end'
    if (this.#isClosed && !isEnd) return
    // In one commit: an end is never recorded without being announced, or the other way round.
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

  // Facts about the turn.

  turnStarted(run: RunContext, start: TurnStart): void {
    const { runId, conversationId, agent, depth, origin, parent, name, setup } = run
    const at = run.clock.now()
    if (depth === 0) this.#turns.add(runId)
    if (!this.#openedConversations.has(conversationId)) {
      this.#openedConversations.add(conversationId)
      this.add({ type: 'conversation-open', at, conversationId, agent, system: start.system })
      if (start.announced)
        this.add({ type: 'surface-announced', at, conversationId, announced: start.announced })
    }
    const { model, text, messageId } = start
    const budget = toPlainLimits(run.budget.limits)
    const about = { runId, conversationId, agent, depth, origin, model, parent, name, setup }
    this.add({ type: 'run-start', at, run: { ...about, messageId, budget, text } })
  }

  turnResumed({ runId, clock, depth }: RunContext): void {
    if (depth === 0) this.#turns.add(runId)
    this.add({ type: 'run-resume', at: clock.now(), runId })
  }

  messageAppended({ runId, clock }: RunContext, message: Message): MaybePromise<void> {
    const at = clock.now()
    this.add({ type: 'message', at, runId, message })
    // A queued message is in the conversation from here on, and nowhere else.
    if (message.role === 'user' && message.queueId !== undefined)
      this.add({ type: 'message-dequeue', at, id: message.queueId })
    if (message.role === 'assistant' && callsOf(message).length > 0) return this.flush()
  }

  surfaceAnnounced({ conversationId, clock }: RunContext, announced: readonly string[]): void {
    this.add({ type: 'surface-announced', at: clock.now(), conversationId, announced })
  }

  historyReplaced({ runId, clock }: RunContext, messages: readonly Message[]): void {
    this.add({ type: 'history-replace', at: clock.now(), runId, messages: [...messages] })
  }

  usageCounted({ runId, clock, budget }: RunContext, usage: Usage, model: string): void {
    this.add({ type: 'usage', at: clock.now(), runId, model, usage, elapsedMs: budget.elapsedMs })
  }

  callStarting({ runId, clock }: RunContext, { id }: ToolCall, intent: CallIntent): Promise<void> {
    this.add({ type: 'call-intent', at: clock.now(), runId, callId: id, ...intent })
    return this.commitAndSync()
  }

  callFinished({ runId, clock }: RunContext, finished: FinishedCall): void {
    const { message, effect, polls, audit } = finished
    const { text: _, media: __, ...result } = finished.result
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
    // A read may be run again, so its result can wait a moment and share the next commit.
    if (effect === 'write' || effect === 'admin') this.#flushSoon()
    else this.#setTimer()
  }

  // Writing.

  /** Throws when nothing can be written any more. */
  add(record: LedgerRecord): void {
    this.#writer.throwFault()
    if (this.#closedBy) throw new RecordingError(this.#closedBy)
    this.#batch.add(record)
    if (record.type === 'call-intent' || record.type === 'approval-open') this.#hasSideEffects = true
  }

  /** Commits what was gathered: from here on a killed process does not lose it. */
  flush(): MaybePromise<void> {
    return this.#writer.flush()
  }

  /** Commits, and settles when a power cut does not lose it either, and the watchers have the events. */
  async commitAndSync(): Promise<void> {
    await this.#writer.commitAndSync()
    await this.#announcer.drain()
  }

  /** Settles when a power cut does not lose the message that began the turn. Undefined: that is so already. */
  openingSynced(): Promise<void> | undefined {
    return this.#writer.synced(this.#openingSync)
  }

  get #isClosed(): boolean {
    return this.#closedBy !== undefined || this.#writer.hasFailed
  }

  /** The turn goes on while the disk works; `openingSynced` is for those who must know. */
  #beginTurn(): MaybePromise<void> {
    this.#openingSync = this.#writer.numberSync()
    return this.flush()
  }

  /**
   * A turn without side effects does not wait for the disk: should a power cut take its end, the turn is resumed and
   * ends again.
   */
  async #endTurn(): Promise<void> {
    const hasSideEffects = this.#hasSideEffects
    this.#hasSideEffects = false
    if (hasSideEffects) return this.commitAndSync()
    await this.flush()
    // Earlier records may still be on their way to the disk, and this end is announced after them.
    await this.#writer.whenFree()
    await this.#announcer.drain()
  }

  /** At the end of this tick, together with everything else that happens in it. */
  #flushSoon(): void {
    if (this.#isFlushQueued) return
    this.#isFlushQueued = true
    queueMicrotask(() => {
      this.#isFlushQueued = false
      this.#flushInBackground()
    })
  }

  #setTimer(): void {
    if (this.#isTimerSet) return
    this.#isTimerSet = true
    this.#clock.after(MAX_WAIT_MS, () => {
      this.#isTimerSet = false
      this.#flushInBackground()
    })
  }

  #flushInBackground(): void {
    if (!this.#isClosed) this.#writer.flushInBackground()
  }
}

/** A limit that is not a number is used up from the start, and JSON knows only numbers. */
function toPlainLimits(limits: BudgetLimits): BudgetLimits {
  const plain: Record<string, number> = {}
  for (const [kind, limit] of Object.entries(limits))
    if (limit !== undefined && limit !== Infinity) plain[kind] = Number.isFinite(limit) ? limit : 0
  return plain
}
