import type { RunId, ThreadId, TurnEvent, Usage } from '@capstan/protocol'
import type { AuditLog, AuditRow } from '../../ports/audit-log.ts'
import type { Ledger, LedgerRecord } from '../../ports/ledger.ts'
import type { BudgetLimits } from '../../turn/budget.ts'
import type { Clock } from '../../turn/clock.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { DeltaBody, EventSink } from '../../turn/event-line.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Message, UserMessage } from '../../turn/message.ts'
import { callsOf } from '../../turn/message.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { ToolCall } from '../../turn/tool-call.ts'
import type { CallIntent, FinishedCall, TurnObserver, TurnStart } from '../seams.ts'

/** No event waits longer than this for its turn to be stored. */
const LONGEST_WAIT_MS = 25

/**
 * Writes a thread's turns into the ledger, and lets nobody hear of an event before it is stored. Records are gathered
 * and committed together at the points that must survive: the user's message, the assistant's message before its calls
 * run, the intent before a call that changes something, its result, and the outcome. What comes between, results of
 * reads included, waits for the next of these, or a moment. After a commit has failed it writes and announces nothing more.
 */
export class Recorder implements Required<Pick<EventSink, 'report' | 'merge'>>, TurnObserver, AuditLog {
  readonly #ledger: Ledger
  readonly #threadId: ThreadId
  readonly #clock: Clock
  readonly #announce: (event: TurnEvent) => void | Promise<void>
  readonly #opened: Set<string>
  /** The turns; every other run is a sub-agent's. */
  readonly #turns = new Set<RunId>()
  #records: LedgerRecord[] = []
  #lastEvent: TurnEvent | undefined
  #audit: AuditRow | undefined
  #opening: UserMessage | undefined
  #isTimed = false
  #isDue = false
  #isClosed = false
  #why: Error | undefined
  #fault: RecordingError | undefined
  #committing: Promise<void> | undefined
  /** Stored events that wait: for a sync, or for a watcher that is slow. */
  readonly #stored: TurnEvent[] = []
  /** Syncs that were asked for, and how far they have come: a later one covers those before it. */
  #syncsAsked = 0
  #syncsDone = 0
  /** Events wait for this one. */
  #heldUntil = 0
  #hardening: Promise<void> | undefined
  #openingSync = 0
  /** Who wants to know when the turn's message is safe. */
  readonly #anxious: { readonly sync: number; readonly announced: PromiseWithResolvers<void> }[] = []
  /** Something in this turn may have changed the world, or was asked of a person. */
  #isGrave = false
  #slow: Promise<void> | undefined

  constructor(options: {
    readonly ledger: Ledger
    readonly threadId: ThreadId
    readonly clock: Clock
    readonly announce: (event: TurnEvent) => void | Promise<void>
    /** Conversations that are in the ledger already. */
    readonly opened?: Iterable<string>
  }) {
    this.#ledger = options.ledger
    this.#threadId = options.threadId
    this.#clock = options.clock
    this.#announce = options.announce
    this.#opened = new Set(options.opened)
  }

  /** Nothing more is written or announced: the run goes on elsewhere, or not at all. Who tries is told why. */
  close(why: Error = new Error('the record of this turn is closed')): void {
    this.#isClosed = true
    this.#why = why
    this.#records = []
    this.#lastEvent = undefined
  }

  // Events.

  report(event: TurnEvent): void | Promise<void> {
    if (this.#isClosed && event.type !== 'turn-end') return
    // Together, so that no end is ever recorded and never told, or told and never recorded.
    if (event.type === 'turn-end')
      this.add({ type: 'run-end', at: event.at, runId: event.runId, outcome: event.outcome })
    this.#records.push({ type: 'event', at: event.at, event })
    this.#lastEvent = event
    if (event.type === 'turn-end' && this.#turns.has(event.runId)) return this.#end()
    this.#arm()
    return this.#slow
  }

  merge(runId: RunId, body: DeltaBody): boolean {
    const last = this.#lastEvent
    if (last?.runId !== runId || last.type !== body.type || last.iteration !== body.iteration) return false
    if (last.type === 'tool-args-delta' && last.callId !== (body as typeof last).callId) return false
    ;(last as { delta: string }).delta += body.delta
    return true
  }

  // What an observer hears.

  turnStarted(run: RunContext, start: TurnStart): void {
    const { runId, conversationId, agent, depth, origin, parent, name, setup } = run
    const at = run.clock.now()
    if (depth === 0) this.#turns.add(runId)
    if (!this.#opened.has(conversationId)) {
      this.#opened.add(conversationId)
      this.add({ type: 'conversation-open', at, conversationId, agent, system: start.system })
      if (start.announced)
        this.add({ type: 'surface-announced', at, conversationId, announced: start.announced })
    }
    const { model, text, messageId, message } = start
    const budget = toPlainLimits(run.budget.limits)
    this.add({
      type: 'run-start',
      at,
      run: {
        runId,
        conversationId,
        agent,
        depth,
        origin,
        model,
        parent,
        name,
        setup,
        messageId,
        budget,
        text,
      },
    })
    if (!message) return
    this.#opening = message
    this.#addMessage(runId, at, message)
  }

  /** A message that was kept for its turn is in the conversation from here on, and nowhere else. */
  #addMessage(runId: RunId, at: number, message: Message): void {
    this.add({ type: 'message', at, runId, message })
    if (message.role === 'user' && message.queueId !== undefined)
      this.add({ type: 'message-dequeue', at, id: message.queueId })
  }

  turnResumed({ runId, clock, depth }: RunContext): void {
    if (depth === 0) this.#turns.add(runId)
    this.add({ type: 'run-resume', at: clock.now(), runId })
  }

  messageAppended({ runId, clock, depth }: RunContext, message: Message): MaybePromise<void> {
    if (message.role === 'tool') return // came with its result
    if (message === this.#opening) {
      this.#opening = undefined
      if (depth > 0) return this.#fail()
      // Who must know that not even a power cut loses it asks for `safe`; the turn goes on while the disk works.
      this.#openingSync = ++this.#syncsAsked
      return this.flush()
    }
    this.#addMessage(runId, clock.now(), message)
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
    return this.harden()
  }

  /** The row of the call that finishes next: they are written together. */
  record(row: AuditRow): void {
    this.#audit = row
  }

  callFinished({ runId, clock }: RunContext, { result, message, effect, polls }: FinishedCall): void {
    const { text: _, media: __, ...facts } = result
    const audit = this.#audit?.callId === result.callId ? toPlainAudit(this.#audit) : undefined
    this.#audit = undefined
    this.add({
      type: 'call-result',
      at: clock.now(),
      runId,
      result: facts,
      message,
      effect,
      polls: polls ? true : undefined,
      audit,
    })
    // A read may be run again, so its result can wait a moment and share the next commit.
    if (effect === 'write' || effect === 'admin') this.#soon()
    else this.#arm()
  }

  /** The end itself is recorded with the event that tells of it. */
  turnEnded(): void {
    this.#refuseIfClosed()
  }

  // Writing.

  /** Throws when nothing can be written any more. */
  add(record: LedgerRecord): void {
    this.#refuseIfClosed()
    this.#records.push(record)
    this.#lastEvent = undefined
    if (record.type === 'call-intent' || record.type === 'approval-open') this.#isGrave = true
  }

  #refuseIfClosed(): void {
    this.#fail()
    if (this.#isClosed) throw new RecordingError(this.#why)
  }

  /** Commits what was gathered: from here on a killed process does not lose it. */
  flush(): MaybePromise<void> {
    this.#fail()
    if (this.#committing) return this.#committing.then(() => this.flush())
    if (this.#records.length === 0) return
    const records = this.#records
    this.#records = []
    this.#lastEvent = undefined
    let writing: MaybePromise<void>
    try {
      writing = this.#ledger.commit(this.#threadId, records)
    } catch (error) {
      return this.#break(error)
    }
    if (!writing) return this.#tell(records)
    this.#committing = writing.then(
      () => {
        this.#committing = undefined
        this.#tell(records)
      },
      (error: unknown) => {
        this.#committing = undefined
        this.#break(error)
      },
    )
    return this.#committing
  }

  /** Commits, and settles when not even a power cut loses it. What is stored meanwhile is announced after it. */
  harden(): Promise<void> {
    const hardening = this.#harden()
    this.#hardening = hardening.catch(ignore)
    return hardening
  }

  async #harden(): Promise<void> {
    const sync = ++this.#syncsAsked
    this.#heldUntil = sync
    try {
      await this.flush()
      const syncing = this.#ledger.sync()
      if (syncing) await syncing
    } catch (error) {
      this.#break(error)
    } finally {
      this.#noteSync(sync)
    }
    while (this.#slow) await this.#slow
  }

  async #syncInBackground(sync: number): Promise<void> {
    try {
      await this.flush()
      await this.#ledger.sync()
      this.#noteSync(sync)
    } catch (error) {
      try {
        this.#break(error)
      } catch {
        // kept in #fault
      }
    }
  }

  #noteSync(sync: number): void {
    this.#syncsDone = Math.max(this.#syncsDone, sync)
    while (this.#anxious[0] && this.#anxious[0].sync <= this.#syncsDone)
      this.#anxious.shift()!.announced.resolve()
    this.#speak()
  }

  /** Settles when not even a power cut loses the message that began the turn; undefined when that is so already. */
  safe(): Promise<void> | undefined {
    if (this.#fault) return Promise.reject(this.#fault)
    if (this.#syncsDone >= this.#openingSync) return undefined
    const announced = Promise.withResolvers<void>()
    this.#anxious.push({ sync: this.#openingSync, announced })
    void this.#syncInBackground(this.#openingSync)
    return announced.promise
  }

  /**
   * The end of a turn. If nothing in it could change anything it need not wait for the disk: should a power cut take it,
   * the turn is taken up and ends again.
   */
  async #end(): Promise<void> {
    const isGrave = this.#isGrave
    this.#isGrave = false
    if (isGrave) return this.harden()
    await this.flush()
    // What came before may still be on its way to the disk, and this is told after it.
    if (this.#syncsDone < this.#heldUntil) await this.#hardening
    while (this.#slow) await this.#slow
  }

  /** At the end of this tick, together with whatever else happens in it. */
  #soon(): void {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      this.#flushInBackground()
    })
  }

  #arm(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    this.#clock.after(LONGEST_WAIT_MS, () => {
      this.#isTimed = false
      this.#flushInBackground()
    })
  }

  /** Nobody waits for it: a fault is met by the next who writes. */
  #flushInBackground(): void {
    if (this.#isClosed || this.#fault) return
    try {
      const writing = this.flush()
      if (writing) writing.catch(ignore)
    } catch {
      // kept in #fault
    }
  }

  #break(error: unknown): never {
    this.#fault ??= error instanceof RecordingError ? error : new RecordingError(error)
    this.#isClosed = true
    this.#records = []
    this.#stored.length = 0
    for (const { announced } of this.#anxious.splice(0)) announced.reject(this.#fault)
    throw this.#fault
  }

  #fail(): void {
    if (this.#fault) throw this.#fault
  }

  // Telling.

  #tell(records: readonly LedgerRecord[]): void {
    for (const record of records) if (record.type === 'event') this.#stored.push(record.event)
    this.#speak()
  }

  #speak(): void {
    if (this.#syncsDone < this.#heldUntil || this.#slow) return
    for (let next = this.#stored.shift(); next; next = this.#stored.shift()) {
      const slow = this.#announce(next)
      if (!slow) continue
      this.#slow = slow.then(() => {
        this.#slow = undefined
        this.#speak()
      })
      return
    }
  }
}

const toPlainAudit = ({ decision, effect, digest }: AuditRow) => ({ decision, effect, digest })

/** A limit that is not a number is used up from the start, and JSON knows only numbers. */
function toPlainLimits(limits: BudgetLimits): BudgetLimits {
  const plain: Record<string, number> = {}
  for (const [kind, limit] of Object.entries(limits))
    if (limit !== undefined && limit !== Infinity) plain[kind] = Number.isFinite(limit) ? limit : 0
  return plain
}

const ignore = (): void => {}
