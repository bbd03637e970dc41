import type { CallId, RunId, TurnEvent, WaitsFor } from '@capstan/protocol'
import type { LedgerRecord, RunStart } from '../ports/ledger.ts'
import type { Archive, PastCall, PastConversation, PastReply, PastRun } from '../turn/archive.ts'
import type { Spent } from '../turn/budget.ts'
import { addUsage, newUsage } from '../turn/budget.ts'
import type { Delivery } from '../turn/inbox.ts'
import type { AssistantMessage, Message } from '../turn/message.ts'
import { callsOf } from '../turn/message.ts'

/** A thread as its records tell it. */
export interface ResumeState {
  readonly conversations: ReadonlyMap<string, PastConversation>
  /** The turn that did not get to its end. */
  readonly unfinished?: PastRun
  /** Set when it waits for something outside. */
  readonly waitsFor?: WaitsFor
  /** What was said to a running turn and has not reached the model, oldest first. */
  readonly queued: readonly QueuedMessage[]
  /** What became of each message that was queued and is not any more. */
  readonly deliveries: ReadonlyMap<string, Delivery>
  /** Which turn took each of them. */
  readonly takenBy: ReadonlyMap<string, RunId>
  /** Approvals whose answer the watchers have heard. */
  readonly announced: ReadonlySet<string>
  readonly archive: Archive
  /** The token of the last turn, if it ended at a cap and can go on. */
  readonly resumeToken?: string
}

interface QueuedMessage {
  readonly id: string
  readonly mode: 'steer' | 'follow-up'
  readonly text: string
}

/** Reads a thread back from what was written. Pure: the same records, the same state. */
export function restoreThread(records: readonly LedgerRecord[]): ResumeState {
  const fold = new ThreadFold()
  for (const record of records) fold.add(record)
  return fold.end()
}

/** One conversation while it is read. */
interface OpenConversation {
  readonly id: string
  readonly agent: string
  readonly system: string
  messages: Message[]
  announced?: readonly string[]
  name?: string
  setup?: PastConversation['setup']
  /** The last run in it. */
  run?: OpenRun
}

/** One run while it is read. */
interface OpenRun {
  readonly start: RunStart
  readonly conversation: OpenConversation
  readonly parent?: OpenRun
  readonly replies: { readonly message: AssistantMessage; readonly finished: Map<CallId, PastCall> }[]
  /** The results of its last reply are not in the conversation yet. */
  isOpen: boolean
  readonly intents: Set<CallId>
  readonly usage: ReturnType<typeof newUsage>
  paid: number
  elapsedMs: number
  iteration: number
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
  readonly #cards = new Map<string, string>()
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
        const { text, media } = message
        const whole = media === undefined ? { ...result, text } : { ...result, text, media }
        const past: PastCall = { result: whole, message, effect, polls: polls === true }
        this.#run(record.runId).replies.at(-1)?.finished.set(result.callId, past)
        return
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
        this.#waitsFor = record.waitsFor
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
      archive: this.#toArchive(),
      ...(resumeToken === undefined ? undefined : { resumeToken }),
    }
  }

  #run(runId: RunId): OpenRun {
    const run = this.#runs.get(runId)
    if (!run) throw new TypeError(`The ledger speaks of a run that never began: ${runId}.`)
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
      usage: newUsage(),
      paid: 0,
      elapsedMs: 0,
      iteration: 0,
      partial: '',
      isCounted: false,
      cuts: 0,
    }
    conversation.run = run
    if (start.name !== undefined) conversation.name = start.name
    if (start.setup) conversation.setup = start.setup
    if (start.depth === 0) this.#turn = run
    this.#runs.set(start.runId, run)
  }

  #message(run: OpenRun, message: Message): void {
    this.#closeReply(run)
    run.conversation.messages.push(message)
    run.last = message
    if (message.role !== 'assistant') return
    run.partial = ''
    if (message.cut) run.cuts++
    if (callsOf(message).length === 0) return
    run.replies.push({ message, finished: new Map() })
    run.isOpen = true
  }

  /** Something followed the results, so they are all there; they joined the history in the order asked. */
  #closeReply(run: OpenRun): void {
    if (!run.isOpen) return
    run.isOpen = false
    const { message, finished } = run.replies.at(-1)!
    for (const call of callsOf(message)) {
      const past = finished.get(call.id)
      if (past) run.conversation.messages.push(past.message)
    }
  }

  /** What a run pays for, those above it pay for, too. */
  #usage(run: OpenRun, { usage, elapsedMs }: Extract<LedgerRecord, { readonly type: 'usage' }>): void {
    run.elapsedMs = elapsedMs
    run.isCounted = true
    for (let payer: OpenRun | undefined = run; payer; payer = payer.parent) {
      addUsage(payer.usage, usage)
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
      run.partial = ''
      run.isCounted = false
    } else if (event.type === 'text-delta') {
      const run = this.#run(event.runId)
      // Words beside the iterations, such as a summary at the cap, are written anew.
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
      spent: toSpent(run),
      iteration: run.iteration,
      replies,
      cuts: run.cuts,
      partial: run.partial,
      isCounted: run.isCounted,
      intents: run.intents,
      ...(open ? { open } : undefined),
      ...(last ? { last } : undefined),
      ...(outcome ? { outcome } : undefined),
    }
  }

  #toArchive(): Archive {
    const children = new Map<string, OpenRun>()
    const waiting = new Map<string, OpenConversation>()
    const spawned = new Map<string, Set<string>>()
    for (const run of this.#runs.values()) {
      const { start, conversation, parent } = run
      if (!start.parent || !parent) continue
      // A child of a turn that has ended can only wait; one of a turn that has not may have to go on.
      if (!turnOf(run).outcome) children.set(`${start.parent.runId}/${start.parent.callId}`, run)
      const owner = parent.conversation.id
      const siblings = spawned.get(owner) ?? new Set()
      spawned.set(owner, siblings.add(conversation.id))
      const isWaiting =
        conversation.run?.outcome?.type === 'needs-input' || conversation.run?.outcome?.type === 'capped'
      if (conversation.name !== undefined && isWaiting)
        waiting.set(`${owner}/${conversation.name}`, conversation)
    }
    return {
      childOf: (runId, callId) => {
        const run = children.get(`${runId}/${callId}`)
        return run && this.#toPastRun(run)
      },
      connectionAskedFor: (runId, callId) => this.#cards.get(`${runId}/${callId}`),
      takeWaiting(conversationId, name) {
        const key = `${conversationId}/${name}`
        const conversation = waiting.get(key)
        waiting.delete(key)
        return conversation && toPast(conversation)
      },
      countChildren: (conversationId) => spawned.get(conversationId)?.size ?? 0,
    }
  }
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
