import type { RunId, ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { Conversation } from '../context/conversation.ts'
import type { UserInput } from '../context/media.ts'
import { GO_ON } from '../context/notices.ts'
import { ContextWindow } from '../context/window.ts'
import { runTurn } from '../engine/run-turn.ts'
import type { Store } from '../ports/store.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import type { ModelClient } from '../models/model-client.ts'
import { systemClock } from '../turn/clock.ts'
import {
  ConfigurationError,
  RecordingError,
  StoppingError,
  StoreError,
  TurnInProgressError,
  TurnParked,
} from '../turn/errors.ts'
import { EventLine } from '../turn/event-line.ts'
import type { Delivery } from '../turn/inbox.ts'
import { Inbox } from '../turn/inbox.ts'
import type { Message } from '../turn/message.ts'
import { newQueueId, newThreadId } from '../turn/new-id.ts'
import type { Agent, TurnParts } from './agent.ts'
import { createAgent, createTurn, openConversation, toProgress } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import type { KeptThread } from './kept-thread.ts'
import { openKeptThread } from './kept-thread.ts'
import { createSpokenQueue } from './spoken-queue.ts'

export interface SessionOptions extends AgentOptions {
  readonly threadId?: string
  /** An earlier part of the conversation. With a store, the conversation is in the store. */
  readonly messages?: readonly Message[]
  /** Where everything is kept. Absent: nothing outlives the process. */
  readonly store?: Store
  /** Whose thread it is. Default `local`. */
  readonly userId?: string
  /** With a store: how long an approval may wait. Default seven days. */
  readonly approvalTimeoutMs?: number
  /** Hears what went wrong in a turn that nobody waits for, such as a follow-up's. */
  readonly onProblem?: (error: unknown) => void
}

interface SendOptions {
  readonly signal?: AbortSignal
  /** The client's own id of the message: sent twice, it is one turn, and both get its outcome. Needs a store. */
  readonly messageId?: string
}

/** A message that was taken. */
export interface Accepted {
  readonly runId: RunId
  /** Settles at the end of the turn, however long it waits in between. Whoever never asks for it costs nothing. */
  readonly outcome: Promise<TurnOutcome>
}

/** A conversation with one person. One turn at a time. */
export interface Session {
  readonly threadId: ThreadId
  /** As far as it was read; with a store, after `load`. */
  readonly messages: readonly Message[]
  readonly isRunning: boolean
  /** Whether a turn is running, or somebody waits for what becomes of one that is parked. */
  readonly isBusy: boolean
  /** Reads the thread from its store. */
  load(): Promise<void>
  /**
   * Runs a turn to its end. Rejects with `TurnInProgressError` while one is running. One that waits for an approval is
   * given up for it: who writes something else has moved on.
   */
  send(input: UserInput, options?: SendOptions): Promise<TurnOutcome>
  /** Settles as soon as the message is safe. */
  post(input: UserInput, options?: SendOptions): Promise<Accepted>
  /** Reaches the model before its next call in the turn that is running. */
  steer(text: string, options?: QueueOptions): Promise<Delivery>
  /** Becomes a turn of its own when the one that is running has ended. */
  followUp(text: string, options?: QueueOptions): Promise<Delivery>
  /** Ends what is running and sends this instead. */
  interrupt(input: UserInput, options?: SendOptions): Promise<TurnOutcome>
  /** Goes on from a turn that ended `capped`. A token works once, and only until the next message. */
  continue(token: string, options?: SendOptions): Promise<TurnOutcome>
  /**
   * Goes on with a turn that a crash or a wait had interrupted, to its end; with `untilParked`, only until it waits for
   * something again. Undefined: there is none, or it waits.
   */
  resume(options?: { readonly untilParked?: boolean }): Promise<TurnOutcome | undefined>
  /** Another model from the next turn on; the conversation stays. */
  useModel(model: ModelClient | string): void
  /** Ends the turn, if it is this one; without an id, whichever is running or waits. */
  stop(runId?: RunId): void
  /** Settles when no turn is running and no follow-up is waiting. */
  idle(): Promise<void>
  /** Leaves the running turn as it is written: it ends here, and goes on when the thread is taken up again. */
  abandon(): void
}

interface QueueOptions {
  /** The client's own id of the message. */
  readonly id?: string
  /** With a store: it is written down, and will reach the model or be refused, whatever happens to this process. */
  readonly onKept?: () => void
}

/** What a turn needs besides its words. The kept one also knows its past. */
interface OpenThread extends Partial<Pick<KeptThread, 'recorder' | 'state' | 'refusals'>> {
  readonly agent: Agent
  readonly conversation: Conversation
  readonly line: EventLine
  readonly window: ContextWindow
}

interface Running {
  readonly inbox: Inbox
  readonly controller: AbortController
  readonly end: Promise<unknown>
  runId?: RunId
  /** Said when the thread is free again: who hears it may send at once. */
  readonly afterwards: (() => void)[]
}

type Words = Pick<TurnParts, 'notice' | 'delivery' | 'queueId' | 'messageId'> & {
  readonly input: UserInput | undefined
}

type Ending = Pick<TurnOutcome, 'type'>

/** The turn has begun; `safe` settles when its message survives a power cut, and is absent when it does already. */
type OnAccept = (runId: RunId, safe: Promise<void> | undefined) => void

/** The chat door: typed history, a frozen prompt, transcripts, steering, and a pause instead of a dead end. */
export function createSession(options: SessionOptions): Session {
  const { store, userId = 'local', approvalTimeoutMs } = options
  const clock = options.clock ?? systemClock
  const threadId = (options.threadId ?? newThreadId()) as ThreadId
  const checkpoint = createSummaryCheckpoint('user')
  const progress = toProgress(options)
  const accepting = new Map<RunId, () => void>()
  const waiting = new Map<RunId, PromiseWithResolvers<TurnOutcome>>()
  const sending = new Map<string, Promise<Accepted>>()
  let agentOptions: AgentOptions = options
  let isReady = false
  let first: Agent | undefined = createAgent('session', options) // settings that cannot work are refused here
  let thread: OpenThread | undefined
  let running: Running | undefined
  let resumeToken: string | undefined
  /** What was said to a turn that goes on later. */
  let held: Inbox | undefined
  const spoken = createSpokenQueue({
    ...(store ? { open: () => maybe(open()) } : undefined),
    recorder: () => thread?.recorder,
    clock,
  })

  function announce(event: TurnEvent): void | Promise<void> {
    if (event.type === 'turn-start' && accepting.size > 0) accepting.get(event.runId)?.()
    return progress.report(event)
  }

  // Built at the first turn, when the tools are known; from then on the prompt never changes.
  function open(): OpenThread | Promise<OpenThread> {
    if (thread) return thread
    if (store) return openKept(store)
    const preparing = isReady ? undefined : options.ready?.()
    isReady = true
    return preparing ? preparing.then(() => open()) : openInMemory()
  }

  function openInMemory(): OpenThread {
    const agent = first ?? createAgent('session', agentOptions)
    first = undefined
    const conversation = openConversation(agent, options.messages)
    const line = new EventLine(threadId, clock, { report: announce })
    thread = { agent, conversation, line, window: new ContextWindow() }
    return thread
  }

  async function openKept(kept: Store): Promise<OpenThread> {
    first = undefined
    const keeping = { store: kept, userId, ...(approvalTimeoutMs === undefined ? {} : { approvalTimeoutMs }) }
    const opened = await openKeptThread(threadId, agentOptions, keeping, announce, clock)
    // Whoever came first has opened it.
    if (thread) return thread
    resumeToken = opened.state.resumeToken
    thread = { ...opened, window: new ContextWindow() }
    return thread
  }

  /** What is in memory may not be what is written: the next turn reads it again. */
  function letGo(why?: Error): void {
    thread?.recorder?.close(why)
    if (store) thread = undefined
  }

  async function occupy(
    signal: AbortSignal | undefined,
    work: (current: Running) => Promise<TurnOutcome | undefined>,
  ): Promise<TurnOutcome | undefined> {
    if (running) throw new TurnInProgressError()
    const controller = new AbortController()
    const { promise: end, resolve: ended } = Promise.withResolvers<void>()
    // Before the first event: whoever hears of the turn may steer it or stop it.
    const current: Running = { inbox: held ?? new Inbox(), controller, end, afterwards: [] }
    running = current
    held = undefined
    const onAbort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    let ending: Ending | undefined = { type: 'failed' }
    try {
      const outcome = await work(current)
      ending = outcome ?? DONE
      return outcome
    } catch (error) {
      if (GOES_ON.some((kind) => error instanceof kind)) {
        ending = undefined
        held = current.inbox
      }
      throw error
    } finally {
      running = undefined
      signal?.removeEventListener('abort', onAbort)
      for (const tell of current.afterwards) tell()
      if (ending) startFollowUp(ending)
      ended()
    }
  }

  /** Runs one turn of the thread. Parked, it rejects, and its outcome goes to whoever waits for it. */
  async function perform(
    opened: OpenThread,
    parts: Partial<TurnParts>,
    current: Running,
    onAccept?: OnAccept,
  ): Promise<TurnOutcome> {
    const { agent, conversation, line, window, state } = opened
    const turn = createTurn(agent, {
      conversation,
      window,
      line,
      checkpoint,
      signal: current.controller.signal,
      inbox: current.inbox,
      input: undefined,
      ...(state ? { archive: state.archive } : undefined),
      ...parts,
    })
    const { runId } = turn.run
    current.runId = runId
    resumeToken = undefined
    if (onAccept) accepting.set(runId, () => onAccept(runId, opened.recorder?.safe()))
    try {
      const outcome = await runTurn(turn)
      if (parts.past && outcome.type !== 'done') await withdrawApprovals(runId)
      if (outcome.type === 'capped') resumeToken = outcome.resumeToken
      settleEnd(runId, current, (wait) => wait.resolve(outcome))
      return outcome
    } catch (error) {
      letGo()
      if (error instanceof TurnParked) {
        const { aborted, reason } = current.controller.signal
        if (!aborted || reason instanceof StoppingError) throw error
        return giveUp(await maybe(open()), current) // stopped while it was being parked
      }
      const reason = error instanceof RecordingError ? error.cause : error
      settleEnd(runId, current, (wait) => wait.reject(reason))
      throw reason
    } finally {
      accepting.delete(runId)
    }
  }

  function settleEnd(
    runId: RunId,
    current: Running,
    tell: (wait: PromiseWithResolvers<TurnOutcome>) => void,
  ): void {
    const wait = waiting.get(runId)
    waiting.delete(runId)
    if (wait) current.afterwards.push(() => tell(wait))
  }

  /** The end of a run that goes on later, perhaps in many days. */
  function endOf(runId: RunId): Promise<TurnOutcome> {
    let wait = waiting.get(runId)
    if (!wait) {
      wait = Promise.withResolvers()
      wait.promise.catch(ignore) // who does not wait for it must not hear of it
      waiting.set(runId, wait)
    }
    return wait.promise
  }

  /** Runs a turn to its end, however long it waits in between. */
  async function run(words: Words, sendOptions?: SendOptions): Promise<TurnOutcome> {
    let runId: RunId | undefined
    const outcome = await begin(words, sendOptions, { started: (id) => (runId = id) })
    return outcome ?? endOf(runId!)
  }

  /** Runs a turn until it has ended or, with undefined, until it waits. */
  function begin(
    words: Words,
    { signal }: SendOptions = {},
    hear: { readonly started?: (runId: RunId) => void; readonly accepted?: OnAccept },
  ): Promise<TurnOutcome | undefined> {
    return occupy(signal, async (current) => {
      const opening = open()
      let opened = opening instanceof Promise ? await opening : opening
      if (opened.state?.unfinished) opened = await giveUpWaiting(opened, current)
      const turn = perform(opened, words, current, hear.accepted)
      hear.started?.(current.runId!)
      return turn
    }).catch((error: unknown) => {
      if (error instanceof TurnParked) return undefined
      throw error
    })
  }

  /** The turn that waits for an answer ends without it. One that was interrupted otherwise must go on first. */
  async function giveUpWaiting(opened: OpenThread, current: Running): Promise<OpenThread> {
    if (!opened.state?.waitsFor) {
      queueMicrotask(() => void session.resume().catch(ignore))
      throw new TurnInProgressError()
    }
    await giveUp(opened, current)
    return maybe(open())
  }

  /** Ends a turn that waits: its calls are closed, here and below it, and nobody is asked any more. */
  async function giveUp(opened: OpenThread, current: Running): Promise<TurnOutcome> {
    const past = opened.state!.unfinished!
    await withdrawApprovals(past.runId)
    const stopped = AbortSignal.abort(new Error('stopped while it waited'))
    const parts = { past, signal: stopped, inbox: new Inbox(), ...refusalsOf(opened) }
    const outcome = await perform(opened, parts, current)
    // Before anybody hears of the end: who sends at once must not find its past again.
    letGo()
    return outcome
  }

  /** Several runs of one turn may have been waiting, each for its own answer. */
  async function withdrawApprovals(runId: RunId): Promise<void> {
    const runIds = (await store!.runs.tree(runId)).map(({ id }) => id)
    const asked = await store!.approvals.ofRuns(runIds)
    for (const { id } of asked.filter(({ decision }) => decision === undefined))
      await store!.approvals.answer(id, 'deny', clock.now())
  }

  function startFollowUp(ending: Ending): void {
    const reason = refusesFollowUp(ending)
    if (reason !== undefined) {
      spoken.refuseAll(reason)
      return
    }
    const next = spoken.takeFollowUp()
    if (!next) return
    // Its outcome is on the event line; whoever needs it listens there or awaits idle().
    const words: Words = {
      input: next.text,
      delivery: 'follow-up',
      ...(store ? { queueId: next.id } : undefined),
    }
    let isTaken = false
    const taken: OnAccept = (_, safe) => {
      isTaken = true
      const tell = () => next.settle({ delivered: true, iteration: 1 })
      if (safe) safe.then(tell, ignore)
      else tell()
    }
    begin(words, {}, { accepted: taken }).catch((error: unknown) => {
      // Not written down as a turn, it is in the queue still.
      if (!isTaken && store) spoken.putBack(next)
      else if (!isTaken) spoken.refuse(next, 'the turn failed')
      options.onProblem?.(error)
    })
  }

  const session: Session = {
    threadId,
    get messages() {
      return thread?.conversation.history.messages ?? options.messages ?? []
    },
    get isRunning() {
      return running !== undefined
    },
    get isBusy() {
      const isSpokenTo = spoken.hasFollowUps || held?.isEmpty === false
      return running !== undefined || waiting.size > 0 || isSpokenTo
    },
    async load() {
      await maybe(open())
    },
    send(input, sendOptions) {
      if (sendOptions?.messageId === undefined) return run({ input }, sendOptions)
      return session.post(input, sendOptions).then(({ outcome }) => outcome)
    },
    post(input, sendOptions) {
      const messageId = store && sendOptions?.messageId
      if (messageId === undefined) return accept({ input }, sendOptions)
      let twin = sending.get(messageId)
      if (!twin) {
        twin = findTwin(messageId).then((known) => known ?? accept({ input, messageId }, sendOptions))
        sending.set(messageId, twin)
        const forget = () => sending.delete(messageId)
        twin.then(forget, forget)
      }
      return twin
    },
    async steer(text, { id = newQueueId(), onKept } = {}) {
      const current = running
      if (!current) return alreadySaid(id, onKept) ?? notNow()
      return spoken.steer(current.inbox, text, id, onKept)
    },
    async followUp(text, { id = newQueueId(), onKept } = {}) {
      if (!running) return alreadySaid(id, onKept) ?? notNow()
      const queued = () => {
        // The turn may have ended while this was written.
        if (!running && !held) startFollowUp(DONE)
      }
      return spoken.followUp(text, id, queued, onKept)
    },
    async interrupt(input, sendOptions) {
      if (running) session.stop()
      await session.idle()
      return session.send(input, sendOptions)
    },
    async continue(token, resumeOptions) {
      if (running) throw new TurnInProgressError()
      await maybe(open())
      if (resumeToken === undefined || token !== resumeToken)
        throw new ConfigurationError('token', 'is not the one of the last capped turn')
      return run({ input: undefined, notice: GO_ON }, resumeOptions)
    },
    async resume({ untilParked = false } = {}) {
      for (let turn = running; turn; turn = running) await turn.end
      let parked: RunId | undefined
      let isAwaited = false
      return occupy(undefined, async (current) => {
        const opened = await maybe(open())
        const past = opened.state?.unfinished
        spoken.requeue(opened, past && current.inbox)
        if (!past) return undefined
        parked = past.runId
        isAwaited = waiting.has(past.runId)
        const outcome = await perform(opened, { past, ...refusalsOf(opened) }, current)
        // What was read of its past is behind us.
        if (thread === opened && opened.state) thread = { ...opened, state: withoutPast(opened.state) }
        return outcome
      }).catch((error: unknown) => {
        if (error instanceof TurnParked) return untilParked ? undefined : endOf(parked!)
        if (isAwaited) return undefined // they have heard it
        throw error
      })
    },
    useModel(model) {
      if (running) throw new TurnInProgressError()
      agentOptions = { ...agentOptions, model }
      first = createAgent('session', agentOptions)
      if (thread && !store) thread = { ...thread, agent: first }
      else letGo()
    },
    stop(runId) {
      if (running && (runId === undefined || runId === running.runId))
        running.controller.abort(new Error('stopped by the user'))
      else if (!running && store) void stopWaiting(runId).catch(ignore)
    },
    async idle() {
      for (let turn = running; turn; turn = running) await turn.end
    },
    abandon() {
      const why = new StoppingError()
      letGo(why)
      running?.controller.abort(why)
    },
  }

  async function stopWaiting(runId: RunId | undefined): Promise<void> {
    const opened = await maybe(open())
    const { unfinished, waitsFor } = opened.state ?? {}
    if (!unfinished || !waitsFor || (runId !== undefined && runId !== unfinished.runId)) return
    await occupy(undefined, (current) => giveUp(opened, current))
  }

  function alreadySaid(id: string, onKept?: () => void): Promise<Delivery> | undefined {
    const delivery = spoken.deliveryOf(id)
    if (delivery) onKept?.()
    return delivery
  }

  async function notNow(): Promise<Delivery> {
    const waitsFor = store && (await maybe(open())).state?.waitsFor
    const reason = waitsFor ? `the turn waits for ${waitsFor.kind}` : 'no turn is running'
    return { delivered: false, reason }
  }

  function accept(words: Words, sendOptions: SendOptions | undefined): Promise<Accepted> {
    const { promise, resolve, reject } = Promise.withResolvers<Accepted>()
    const end: Promise<TurnOutcome | undefined> = begin(words, sendOptions, {
      accepted(runId, safe) {
        const tell = () => resolve(toAccepted(runId, end))
        if (safe) safe.then(tell, (error: unknown) => reject(causeOf(error)))
        else tell()
      },
    })
    end.catch(reject)
    return promise
  }

  /** A parked turn holds no memory: only who asks for its outcome makes somebody wait for it. */
  function toAccepted(runId: RunId, end: Promise<TurnOutcome | undefined>): Accepted {
    let outcome: Promise<TurnOutcome> | undefined
    return {
      runId,
      get outcome() {
        if (!outcome) {
          outcome = end.then((now) => now ?? findEnd(runId))
          outcome.catch(ignore) // who does not wait for it must not hear of it
        }
        return outcome
      },
    }
  }

  /** The end of a run that was parked, which may have come meanwhile. */
  async function findEnd(runId: RunId): Promise<TurnOutcome> {
    const end = endOf(runId)
    const row = await store!.runs.get(runId)
    if (row?.outcome) {
      waiting.get(runId)?.resolve(row.outcome)
      waiting.delete(runId)
    }
    return end
  }

  /** The turn that this very message has become already. */
  async function findTwin(messageId: string): Promise<Accepted | undefined> {
    const row = await store!.runs.findByMessage(threadId, messageId)
    return row && toAccepted(row.id, Promise.resolve(row.outcome))
  }

  return session
}

const refusalsOf = ({ refusals }: OpenThread): Pick<TurnParts, 'refusals'> => (refusals ? { refusals } : {})

function withoutPast(state: NonNullable<OpenThread['state']>): NonNullable<OpenThread['state']> {
  const { conversations, announced, archive, deliveries } = state
  return { conversations, announced, archive, deliveries, queued: [] }
}

const maybe = async <Value>(value: Value | Promise<Value>): Promise<Value> => value

function refusesFollowUp({ type }: Ending): string | undefined {
  switch (type) {
    case 'done':
    case 'halted':
    case 'capped':
      return undefined
    case 'needs-input':
      return 'the turn ended with a question'
    case 'aborted':
      return 'the turn was stopped'
    case 'failed':
      return 'the turn failed'
  }
}

/** After these the turn has no end yet, and what was said to it stays in its place. */
const GOES_ON = [TurnParked, StoreError, StoppingError]

const causeOf = (error: unknown): unknown => (error instanceof RecordingError ? error.cause : error)

const DONE: Ending = { type: 'done' }

const ignore = (): void => {}
