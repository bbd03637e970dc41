import type { CallId, RunId, TurnEvent, Usage, WaitsFor } from '@capstan/protocol'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { LedgerRecord, RunStart } from '../ports/ledger.ts'
import type { Archive, PastCall, PastConversation, PastReply, PastRun, PastSpawned } from '../turn/archive.ts'
import type { Spent } from '../turn/budget.ts'
import { DoneWrites } from '../turn/done-writes.ts'
import type { Delivery } from '../turn/message/inbox.ts'
import type { AssistantMessage, Message } from '../turn/message/message.ts'
import { callsOf } from '../turn/message/message.ts'
import type { SideEffect } from '../turn/side-effects.ts'
import { toSideEffect } from '../turn/side-effects.ts'

/** What is needed to go on with a thread, restored from its records. */
export interface ResumeState {
  readonly conversations: ReadonlyMap<string, PastConversation>
  /** The turn that has no end in the ledger. */
  readonly unfinished?: PastRun
  /** Set when that turn is parked. */
  readonly waitsFor?: WaitsFor
  /** Messages sent to a running turn that have not reached the model, oldest first. */
  readonly queued: readonly QueuedMessage[]
  /** The delivery of each message that has left the queue, by its id. */
  readonly deliveries: ReadonlyMap<string, Delivery>
  /** The turn that took each delivered message, by its id. */
  readonly takenBy: ReadonlyMap<string, RunId>
  /** Approvals whose answers were announced to the watchers. */
  readonly announced: ReadonlySet<string>
  /** The writes that succeeded in that turn, or in the last one. */
  readonly done: DoneWrites
  readonly archive: Archive
  /** The token of the last turn, if it ended at a cap and can be continued. */
  readonly resumeToken?: string
}

interface QueuedMessage {
  readonly id: string
  readonly mode: 'steer' | 'follow-up'
  readonly text: string
}

/** Restores a thread from its records. Pure: the same records give the same state. */
export function restoreThread(records: readonly LedgerRecord[]): ResumeState {
  const fold = new ThreadFold()
  for (const record of records) fold.add(record)
  return fold.end()
}

/** A conversation while its records are read. */
interface OpenConversation {
  readonly id: string
  readonly agent: string
  readonly system: string
  messages: Message[]
  announced?: readonly string[]
  name?: string
  setup?: PastConversation['setup']
  /** Its newest run. */
  run?: OpenRun
}

/** A run while its records are read. */
interface OpenRun {
  readonly start: RunStart
  readonly conversation: OpenConversation
  readonly parent?: OpenRun
  readonly replies: {
    readonly message: AssistantMessage
    readonly finished: Map<CallId, PastCall>
    readonly iteration: number
  }[]
  /** True while the results of its last reply are not in the conversation. */
  isOpen: boolean
  readonly intents: Set<CallId>
  readonly sideEffects: SideEffect[]
  usage: Usage
  paid: number
  elapsedMs: number
  iteration: number
  hasReplied: boolean
  partial: string
  isCounted: boolean
  cuts: number
  last?: Message
  outcome?: PastRun['outcome']
}

class ThreadFold {
  readonly #conversations = new Map<string, OpenConversation>()
  readonly #runs = new Map<RunId, OpenRun>()
  readonly #queued = new Map<string, QueuedMessage>()
  readonly #deliveries = new Map<string, Delivery>()
  readonly #takenBy = new Map<string, RunId>()
  readonly #announced = new Set<string>()
  /** Messages that are in a conversation, by their ids in the queue. */
  readonly #received = new Set<string>()
  /** Sub-agents whose report is in the conversation of their parent. */
  readonly #reported = new Set<RunId>()
  readonly #cards = new Map<string, string>()
  readonly #done = new DoneWrites()
  #turn: OpenRun | undefined
  #waitsFor: WaitsFor | undefined

  add(record: LedgerRecord): void {
    switch (record.type) {
      case 'conversation-open': {
        const { conversationId: id, agent, system } = record
        this.#conversations.set(id, { id, agent, system, messages: [] })
        return
      }
      case 'surface-announced': {
        const conversation = this.#conversations.get(record.conversationId)
        if (conversation) conversation.announced = record.announced
        return
      }
      case 'run-start':
        return this.#start(record.run)
      case 'message':
        return this.#message(this.#run(record.runId), record.message)
      case 'history-replace': {
        const run = this.#run(record.runId)
        this.#closeReply(run)
        run.conversation.messages = [...record.messages]
        return
      }
      case 'usage':
        return this.#usage(this.#run(record.runId), record)
      case 'call-intent':
        this.#run(record.runId).intents.add(record.callId)
        return
      case 'call-result': {
        const { result, message, effect, polls } = record
        const { text, media, from, own } = message
        const whole = { ...result, effect, text, media, from, own }
        const past: PastCall = { result: whole, message, polls: polls === true }
        const run = this.#run(record.runId)
        run.replies.at(-1)?.finished.set(result.callId, past)
        if (result.done) this.#done.note(result.done)
        return noteSideEffect(run, past)
      }
      case 'run-end': {
        const run = this.#run(record.runId)
        this.#closeReply(run)
        run.outcome = record.outcome
        return
      }
      case 'message-queue':
        this.#queued.set(record.id, { id: record.id, mode: record.mode, text: record.text })
        return
      case 'message-dequeue': {
        const { id, refused } = record
        this.#queued.delete(id)
        if (refused === undefined && this.#turn) this.#takenBy.set(id, this.#turn.start.runId)
        const iteration = Math.max(1, this.#turn?.iteration ?? 1)
        this.#deliveries.set(
          id,
          refused === undefined ? { delivered: true, iteration } : { delivered: false, reason: refused },
        )
        return
      }
      case 'event':
        return this.#event(record.event)
      case 'run-park':
        // A sub-agent that parks by itself leaves the turn running.
        if (record.upTo === undefined) this.#waitsFor = record.waitsFor
        return
      case 'run-resume':
        this.#waitsFor = undefined
        return
      case 'approval-open':
      case 'media':
        return
    }
  }

  end(): ResumeState {
    const conversations = new Map<string, PastConversation>()
    for (const [id, conversation] of this.#conversations) conversations.set(id, toPast(conversation))
    const turn = this.#turn
    const unfinished = turn && !turn.outcome ? this.#toPastRun(turn) : undefined
    const resumeToken = turn?.outcome?.type === 'capped' ? turn.outcome.resumeToken : undefined
    return {
      conversations,
      ...(unfinished ? { unfinished } : undefined),
      ...(unfinished && this.#waitsFor ? { waitsFor: this.#waitsFor } : undefined),
      queued: [...this.#queued.values()],
      deliveries: this.#deliveries,
      takenBy: this.#takenBy,
      announced: this.#announced,
      done: this.#done,
      archive: this.#toArchive(),
      ...(resumeToken === undefined ? undefined : { resumeToken }),
    }
  }

  #run(runId: RunId): OpenRun {
    const run = this.#runs.get(runId)
    if (!run) throw new TypeError(`The ledger mentions a run that never started: ${runId}.`)
    return run
  }

  #start(start: RunStart): void {
    const conversation = this.#conversations.get(start.conversationId)
    if (!conversation) throw new TypeError(`The ledger has a run without a conversation: ${start.runId}.`)
    const run: OpenRun = {
      start,
      conversation,
      parent: start.parent && this.#run(start.parent.runId),
      replies: [],
      isOpen: false,
      intents: new Set(),
      sideEffects: [],
      usage: NO_USAGE,
      paid: 0,
      elapsedMs: 0,
      iteration: 0,
      hasReplied: false,
      partial: '',
      isCounted: false,
      cuts: 0,
    }
    conversation.run = run
    if (start.name !== undefined) conversation.name = start.name
    if (start.setup) conversation.setup = start.setup
    if (start.depth === 0) {
      this.#turn = run
      this.#done.clear()
    }
    this.#runs.set(start.runId, run)
  }

  #message(run: OpenRun, message: Message): void {
    this.#closeReply(run)
    run.conversation.messages.push(message)
    run.last = message
    if (message.role === 'user' && run.start.depth === 0) this.#done.clear()
    if (message.role === 'user' && message.queueId !== undefined) this.#received.add(message.queueId)
    if (message.role === 'notice' && message.report) this.#reported.add(message.report.runId)
    if (message.role !== 'assistant') return
    run.partial = ''
    run.hasReplied = true
    if (message.cut) run.cuts++
    if (callsOf(message).length === 0) return
    run.replies.push({ message, finished: new Map(), iteration: run.iteration })
    run.isOpen = true
  }

  /** A record after the results means that all results are there. They join the history in the order of the calls. */
  #closeReply(run: OpenRun): void {
    if (!run.isOpen) return
    run.isOpen = false
    const { message, finished } = run.replies.at(-1)!
    for (const call of callsOf(message)) {
      const past = finished.get(call.id)
      if (past) run.conversation.messages.push(past.message)
    }
  }

  /** The usage of a run also counts for every run above it. */
  #usage(run: OpenRun, { usage, elapsedMs }: Extract<LedgerRecord, { readonly type: 'usage' }>): void {
    run.elapsedMs = elapsedMs
    run.isCounted = true
    for (let payer: OpenRun | undefined = run; payer; payer = payer.parent) {
      payer.usage = sumUsage(payer.usage, usage)
      payer.paid++
    }
  }

  #event(event: TurnEvent): void {
    if (event.type === 'approval-answer') this.#announced.add(event.approvalId)
    else if (event.type === 'connection-request')
      this.#cards.set(`${event.runId}/${event.callId}`, event.connectionId)
    else if (event.type === 'model-retry') this.#run(event.runId).partial = ''
    else if (event.type === 'iteration-start') {
      const run = this.#run(event.runId)
      run.iteration = event.iteration
      run.hasReplied = false
      run.partial = ''
      run.isCounted = false
    } else if (event.type === 'text-delta') {
      const run = this.#run(event.runId)
      // Text from outside an iteration, such as a summary at the cap, is generated again.
      if (event.iteration === run.iteration) run.partial += event.delta
    }
  }

  #toPastRun(run: OpenRun): PastRun {
    const { start, conversation, last, outcome } = run
    const open = run.isOpen ? run.replies.at(-1) : undefined
    const replies: PastReply[] = open ? run.replies.slice(0, -1) : run.replies
    return {
      runId: start.runId,
      conversation: toPast(conversation),
      origin: start.origin,
      budget: start.budget,
      ...(start.output ? { output: start.output } : undefined),
      spent: toSpent(run),
      // The next iteration may have begun already. It begins again when the calls of this one are finished.
      iteration: open?.iteration ?? run.iteration,
      hasReplied: run.hasReplied,
      replies,
      cuts: run.cuts,
      partial: run.partial,
      isCounted: run.isCounted,
      intents: run.intents,
      sideEffects: run.sideEffects,
      ...(open ? { open } : undefined),
      ...(last ? { last } : undefined),
      ...(outcome ? { outcome } : undefined),
    }
  }

  #spawnedBy(runId: RunId): readonly PastSpawned[] {
    const spawned: PastSpawned[] = []
    for (const run of this.#runs.values()) {
      const { start } = run
      if (!start.isSpawned || start.parent?.runId !== runId) continue
      spawned.push({
        callId: start.parent.callId,
        run: this.#toPastRun(run),
        task: start.text,
        isReported: this.#reported.has(start.runId),
      })
    }
    return spawned
  }

  #toArchive(): Archive {
    const children = new Map<string, OpenRun[]>()
    const waiting = new Map<string, OpenConversation>()
    const spawned = new Map<string, Set<string>>()
    for (const run of this.#runs.values()) {
      const { start, conversation, parent } = run
      if (!start.parent || !parent) continue
      // Only a child of an unfinished turn can be resumed. A child of a finished turn can still wait for input.
      const call = `${start.parent.runId}/${start.parent.callId}`
      if (!turnOf(run).outcome) children.set(call, [...(children.get(call) ?? []), run])
      const owner = parent.conversation.id
      const siblings = spawned.get(owner) ?? new Set()
      spawned.set(owner, siblings.add(conversation.id))
      const isWaiting =
        conversation.run?.outcome?.type === 'needs-input' || conversation.run?.outcome?.type === 'capped'
      if (conversation.name !== undefined && isWaiting)
        waiting.set(`${owner}/${conversation.name}`, conversation)
    }
    return {
      childOf: (runId, callId, name) => {
        const runs = children.get(`${runId}/${callId}`) ?? []
        const run =
          name === undefined
            ? (runs.find(({ outcome }) => !outcome) ?? runs.at(-1))
            : runs.findLast(({ start }) => start.name === name)
        return run && this.#toPastRun(run)
      },
      spawnedBy: (runId) => this.#spawnedBy(runId),
      hasMessage: (queueId) => this.#received.has(queueId),
      connectionAskedFor: (runId, callId) => this.#cards.get(`${runId}/${callId}`),
      findWaiting(conversationId, name) {
        const conversation = waiting.get(`${conversationId}/${name}`)
        return conversation && toPast(conversation)
      },
      removeWaiting: (conversationId, name) => void waiting.delete(`${conversationId}/${name}`),
      countChildren: (conversationId) => spawned.get(conversationId)?.size ?? 0,
    }
  }
}

/** What a run changed counts for every run above it, too. */
function noteSideEffect(run: OpenRun, past: PastCall): void {
  const changed = toSideEffect(run.start.runId, past.result)
  if (!changed) return
  for (let above: OpenRun | undefined = run; above; above = above.parent) above.sideEffects.push(changed)
}

function turnOf(run: OpenRun): OpenRun {
  let turn = run
  while (turn.parent) turn = turn.parent
  return turn
}

const toSpent = ({ paid, usage, elapsedMs }: OpenRun): Spent => ({ iterations: paid, usage, elapsedMs })

const toPast = ({
  id,
  agent,
  system,
  messages,
  announced,
  name,
  setup,
}: OpenConversation): PastConversation => ({
  id,
  agent,
  system,
  messages,
  ...(announced === undefined ? undefined : { announced }),
  ...(setup === undefined ? undefined : { setup }),
  ...(name === undefined ? undefined : { name }),
})
