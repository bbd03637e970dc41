import type { RunId, ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { UserInput } from '../../context/media.ts'
import type { ModelClient } from '../../models/model-client.ts'
import type { Store } from '../../ports/store.ts'
import { createSummaryCheckpoint } from '../../seams/checkpoints/summarise-at-cap.ts'
import { systemClock } from '../../turn/clock.ts'
import { StoppingError, StoreError, TurnInProgressError } from '../../turn/errors.ts'
import type { Delivery } from '../../turn/inbox.ts'
import type { Message } from '../../turn/message.ts'
import { newThreadId } from '../../turn/new-id.ts'
import { toProgress } from '../agent.ts'
import type { AgentOptions } from '../agent-options.ts'
import { EventTaps, streamTurn } from '../event-stream.ts'
import { APPROVAL_TIMEOUT_MS } from './ledger-approvals.ts'
import type { Submission, SubmitOptions } from './message-intake.ts'
import { MessageIntake } from './message-intake.ts'
import { MessageQueue } from './message-queue.ts'
import { RunWaiters } from './run-waiters.ts'
import { ThreadMemory } from './thread-memory.ts'
import { ThreadState } from './thread-state.ts'
import { TurnRunner } from './turn-runner.ts'

/** What a chat session takes besides what every agent takes. */
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
  /** Gets what went wrong in a turn that nobody awaits, such as a follow-up's. */
  readonly onProblem?: (error: unknown) => void
}

/** What may be said with a message that begins a turn. */
export type SendOptions = Omit<SubmitOptions, 'mode' | 'fallback'>

/** What may be said with a message for the running turn. */
export type QueueOptions = Pick<SubmitOptions, 'messageId'>

/** A conversation with one person. One turn at a time. */
export interface Session {
  readonly threadId: ThreadId
  /** As far as it was read; with a store, after `load`. */
  readonly messages: readonly Message[]
  /** `parked`: the last turn waits for something outside, or was interrupted. With a store, known after `load`. */
  readonly state: 'idle' | 'running' | 'parked'
  /** Whether a turn is running, or somebody waits for the outcome of a parked one. */
  readonly isBusy: boolean
  /** Reads the thread from its store. */
  load(): Promise<void>
  /**
   * Takes a message of the person. Settles as soon as it is safe; the submission tells what becomes of it. Rejects with
   * `TurnInProgressError` when the mode does not fit what the thread is doing. A parked turn is given up for a message
   * that begins another one.
   */
  submit(input: UserInput, options?: SubmitOptions): Promise<Submission>
  /** Goes on from a turn that ended `capped`. A token works once, and only until the next message. */
  continue(resumeToken: string, options?: { readonly signal?: AbortSignal }): Promise<Submission>
  /** Submits a message and waits for the end of its turn. */
  send(input: UserInput, options?: SendOptions): Promise<TurnOutcome>
  /** Submits a message and yields the events of its turn. Begins with the first read; leaving the loop stops nothing. */
  stream(input: UserInput, options?: SendOptions): AsyncIterable<TurnEvent>
  /** Submits a message that the model sees before its next call, in the turn that is running and in no other. */
  steer(text: string, options?: QueueOptions): Promise<Delivery>
  /** Submits a message that begins a turn when the running one has ended well. */
  followUp(text: string, options?: QueueOptions): Promise<Delivery>
  /** Ends the running turn, then sends. */
  interrupt(input: UserInput, options?: SendOptions): Promise<TurnOutcome>
  /**
   * Goes on with a turn that was interrupted by a crash or a wait, to its end; with `untilParked`, only until it waits
   * again. Undefined: there is none, or it is parked.
   */
  resume(options?: { readonly untilParked?: boolean }): Promise<TurnOutcome | undefined>
  /** Another model from the next turn on; the conversation stays. */
  useModel(model: ModelClient | string): void
  /** Ends the turn, if it is this one; without an id, the one that is running or parked. */
  stop(runId?: RunId): void
  /** Settles when no turn is running and no follow-up is waiting. */
  idle(): Promise<void>
  /** Leaves the running turn as it is recorded: it ends here, and goes on when the thread is resumed. */
  abandon(): void
}

/** Who owns the session, for sessions that are opened by a store of threads. */
export interface SessionHost {
  /** Throws when nothing new may begin. */
  admit(): void
  /** Keeps the session in memory until the work has settled. */
  track<Result>(work: Promise<Result>): Promise<Result>
}

const NO_HOST: SessionHost = { admit: () => {}, track: (work) => work }

/** The chat entry point: typed history, a frozen prompt, transcripts, steering, and a pause instead of a dead end. */
export function createSession(options: SessionOptions): Session {
  return createHostedSession(options, NO_HOST)
}

/** A session whose owner is asked before anything begins, and keeps it while it works. */
export function createHostedSession(options: SessionOptions, host: SessionHost): Session {
  const parts = assemble(options, () => void session.resume().catch(ignore))
  const { threadId, state, memory, runner, queue, waiters, intake, taps } = parts

  function take(work: () => Promise<Submission>): Promise<Submission> {
    return enter(async () => {
      const submission = await work()
      void host.track(state.idle())
      return {
        runId: submission.runId,
        delivery: submission.delivery,
        get outcome() {
          const { outcome } = submission
          host.track(outcome).catch(ignore)
          return outcome
        },
      }
    })
  }

  function enter<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      host.admit()
    } catch (error) {
      return Promise.reject(error)
    }
    return host.track(work())
  }

  /** Nothing is lost by not waiting for the disk here: whoever awaits the outcome has no answer before it. */
  const begin = (input: UserInput, submitted: SubmitOptions) =>
    take(() => intake.submit(input, submitted, false))

  const session: Session = {
    threadId,
    get messages() {
      return memory.current?.conversation.history.messages ?? options.messages ?? []
    },
    get state() {
      return state.type
    },
    get isBusy() {
      const hasMessages = queue.hasFollowUps || state.holdsMessages
      return state.type === 'running' || !waiters.isEmpty || hasMessages
    },
    async load() {
      await memory.open()
    },
    submit: (input, submitted) => take(() => intake.submit(input, submitted)),
    continue: (token, { signal } = {}) => take(() => intake.continue(token, signal)),
    async send(input, sent) {
      return (await begin(input, { ...sent, mode: 'send' })).outcome
    },
    stream: (input, sent) =>
      streamTurn(
        (tap) => taps.add(tap),
        () => begin(input, { ...sent, mode: 'send' }),
      ),
    steer: (text, sent) => deliver(session, text, { ...sent, mode: 'steer', fallback: 'refuse' }),
    followUp: (text, sent) => deliver(session, text, { ...sent, mode: 'follow-up', fallback: 'refuse' }),
    async interrupt(input, sent) {
      return (await begin(input, { ...sent, mode: 'interrupt' })).outcome
    },
    resume: ({ untilParked = false } = {}) =>
      enter(async () => {
        const resumed = await runner.resume(({ stored }, turn) => {
          if (stored) queue.restore(stored.state, stored.state.unfinished && turn)
        })
        if ('outcome' in resumed) return resumed.outcome
        return untilParked ? undefined : waiters.wait(resumed.parked)
      }),
    useModel(model) {
      if (state.running) throw new TurnInProgressError()
      memory.useModel(model)
    },
    stop(runId) {
      const { running } = state
      if (!running) return void (memory.isStored && runner.stopParked(runId).catch(ignore))
      if (runId === undefined || runId === running.runId) running.stop(new Error('stopped by the user'))
    },
    idle: () => state.idle(),
    abandon() {
      const why = new StoppingError()
      memory.release(why)
      state.running?.stop(why)
    },
  }
  return session
}

/** One owner per part; see each file. */
function assemble(options: SessionOptions, onInterrupted: () => void) {
  const { store, userId = 'local', approvalTimeoutMs = APPROVAL_TIMEOUT_MS, onProblem = ignore } = options
  const { clock = systemClock, checkpoint = createSummaryCheckpoint('user') } = options
  const threadId = (options.threadId ?? newThreadId()) as ThreadId
  const progress = toProgress(options)
  const taps = new EventTaps((event) => progress.report(event))
  const state = new ThreadState()
  const memory: ThreadMemory = new ThreadMemory({
    threadId,
    agent: options,
    messages: options.messages,
    storage: store && { store, userId, approvalTimeoutMs },
    clock,
    announce: taps.report,
    onOpened: (opened) => runner.noteOpened(opened),
  })
  const waiters = new RunWaiters(store?.runs)
  const queue = new MessageQueue(
    clock,
    () => memory.current?.stored?.recorder,
    () => intake.startNext(),
  )
  const runner = new TurnRunner({
    state,
    memory,
    waiters,
    checkpoint,
    onIdle: () => intake.startNext(),
    onInterrupted: () => queueMicrotask(onInterrupted),
  })
  const intake = new MessageIntake({
    threadId,
    state,
    memory,
    runner,
    queue,
    waiters,
    runs: store?.runs,
    onProblem,
  })
  return { threadId, state, memory, runner, queue, waiters, intake, taps }
}

/** The running turn ends by a store that fails, and says so; the sender only has to know that nobody got the message. */
async function deliver(session: Session, text: string, options: SubmitOptions): Promise<Delivery> {
  try {
    return await (
      await session.submit(text, options)
    ).delivery
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { delivered: false, reason: `it could not be recorded: ${String(error)}` }
  }
}

const ignore = (): void => {}
