import type { QueueMode, RunId, ThreadId, TurnEvent, TurnOutcome, WaitsFor } from '@capstan/protocol'
import type { UserInput } from '../../context/media.ts'
import { readOutcome } from '../../engine/structured-output.ts'
import type { ModelClient } from '../../models/model-client.ts'
import type { Store } from '../../ports/store.ts'
import { createSummaryCheckpoint } from '../../seams/checkpoints/summarise-at-cap.ts'
import { systemClock } from '../../turn/clock.ts'
import { StoppingError, StoreError, TurnInProgressError } from '../../turn/errors.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import type { Delivery } from '../../turn/message/inbox.ts'
import type { Message } from '../../turn/message/message.ts'
import type { OutcomeWith, OutputSchema, ResultOf } from '../../turn/output-schema.ts'
import { newThreadId } from '../../turn/new-id.ts'
import { toProgress } from '../agent.ts'
import type { AgentOptions, TurnOptions } from '../agent-options.ts'
import { EventTaps, streamTurn } from '../event-stream.ts'
import { APPROVAL_TIMEOUT_MS } from './ledger-approvals.ts'
import type { ContinueOptions, Submission, SubmitOptions } from './message-intake.ts'
import { MessageIntake } from './message-intake.ts'
import { MessageQueue } from './message-queue.ts'
import type { OpenThread } from './open-thread.ts'
import { RunWaiters } from './run-waiters.ts'
import { ThreadMemory } from './thread-memory.ts'
import type { RunningTurn } from './thread-state.ts'
import { ThreadState } from './thread-state.ts'
import { toQueueMode } from './to-queue-mode.ts'
import { TurnRunner } from './turn-runner.ts'

/** Options of a chat session. */
export interface SessionOptions extends AgentOptions {
  readonly threadId?: string
  /** Earlier messages of the conversation, for a session without a store. */
  readonly messages?: readonly Message[]
  /** Where the thread is stored. Absent: nothing survives the process. */
  readonly store?: Store
  /** The owner of the thread. Default `local`. */
  readonly userId?: string
  /** How long an approval may wait, with a store. Default: seven days. */
  readonly approvalTimeoutMs?: number
  /** What queued messages do while a turn is running. A function is asked each time. Default `one-by-one`. */
  readonly queueMode?: QueueMode | (() => QueueMode)
  /** Called with the error of a turn that no caller awaits, such as a follow-up. */
  readonly onProblem?: (error: unknown) => void
}

/** Options of a message that starts a turn. */
export type SendOptions<Schema extends OutputSchema | undefined = OutputSchema | undefined> = Omit<
  SubmitOptions<Schema>,
  'mode' | 'fallback'
>

/** Options of a message for the running turn. */
export type QueueOptions = Pick<SubmitOptions, 'messageId'>

/** A conversation with one person. It runs one turn at a time. `Output`: the result type of its `output` schema. */
export interface Session<Output = undefined> {
  readonly threadId: ThreadId
  /** The messages in memory. With a store, they are complete after `load`. */
  readonly messages: readonly Message[]
  /** `parked`: the last turn waits for a person or a sign-in, or was interrupted. With a store, known after `load`. */
  readonly state: 'idle' | 'running' | 'parked'
  /** Whether a turn is running, a message is queued, or a caller awaits the outcome of a parked turn. */
  readonly isBusy: boolean
  /** Reads the thread from its store. */
  load(): Promise<void>
  /**
   * Accepts a message. Settles when the message is stored safely; the submission has its delivery and outcome. Rejects
   * with `TurnInProgressError` when the mode does not fit the state of the thread. A message that starts a turn ends a
   * parked turn first.
   */
  submit<Schema extends OutputSchema | undefined = undefined>(
    input: UserInput,
    options?: SubmitOptions<Schema>,
  ): Promise<Submission<ResultOf<Schema, Output>>>
  /** Whether a message with this id was accepted before. Without a store, never. */
  hasMessage(messageId: string): Promise<boolean>
  /** Starts a turn that continues one that ended `capped`. A token works once, and only until the next message. */
  continue<Schema extends OutputSchema | undefined = undefined>(
    resumeToken: string,
    options?: ContinueOptions<Schema>,
  ): Promise<Submission<ResultOf<Schema, Output>>>
  /** Submits a message and waits for the outcome of its turn. */
  send<Schema extends OutputSchema | undefined = undefined>(
    input: UserInput,
    options?: SendOptions<Schema>,
  ): Promise<OutcomeWith<ResultOf<Schema, Output>>>
  /** Submits a message at the first read and yields the events of its turn. Leaving the loop does not stop the turn. */
  stream(input: UserInput, options?: SendOptions): AsyncIterable<TurnEvent>
  /** Submits a message for the running turn only. The model gets it before its next call. */
  steer(text: string, options?: QueueOptions): Promise<Delivery>
  /** Submits a message that starts a turn after the running one, unless that fails, is stopped or asks a question. */
  followUp(text: string, options?: QueueOptions): Promise<Delivery>
  /** Ends the running turn, then sends the message. */
  interrupt<Schema extends OutputSchema | undefined = undefined>(
    input: UserInput,
    options?: SendOptions<Schema>,
  ): Promise<OutcomeWith<ResultOf<Schema, Output>>>
  /**
   * Resumes a turn that was interrupted by a crash or parked, and waits for its outcome. With `untilParked`, it waits only
   * until the turn is parked again. Undefined: there is no such turn, or it is parked again.
   */
  resume(options?: { readonly untilParked?: boolean }): Promise<OutcomeWith<Output> | undefined>
  /**
   * This has happened: a sub-agent of the running turn that waits for it goes on. False when there is none; then the turn
   * is resumed once it is parked.
   */
  settle(waitsFor: WaitsFor): boolean
  /** Uses another model from the next turn on, in the same conversation. */
  useModel(model: ModelClient | string): void
  /** Ends the running or parked turn. With an id, only if it is that run. */
  stop(runId?: RunId): void
  /** Settles when no turn is running and no follow-up is waiting. */
  idle(): Promise<void>
  /**
   * Ends an interrupted turn with a failure instead of resuming it: it was interrupted too often. What it had started and
   * nobody saw the end of is told. Undefined when there is none.
   */
  giveUp(): Promise<TurnOutcome | undefined>
  /** Stops working on the running turn without ending it. It is resumed with the thread. */
  abandon(): void
}

/** The owner of a session that belongs to a pool of threads. */
export interface SessionHost {
  /** Throws when no new work may start. */
  admit(): void
  /** Keeps the session in memory until the work settles. */
  track<Result>(work: Promise<Result>): Promise<Result>
}

const NO_HOST: SessionHost = { admit: () => {}, track: (work) => work }

/** Creates a chat session. Throws `ConfigurationError` for invalid options. */
export function createSession<Schema extends OutputSchema | undefined = undefined>(
  options: SessionOptions & { readonly output?: Schema & {} },
): Session<ResultOf<Schema>> {
  // The schema checks the result when it is delivered, so the type is safe.
  return createHostedSession(options, NO_HOST) as Session<never>
}

/** Creates a session whose host admits new work and keeps the session in memory while it works. */
export function createHostedSession(options: SessionOptions, host: SessionHost): Session {
  const parts = assemble(options, host, () => void session.resume().catch(ignore))
  const { threadId, state, memory, runner, queue, waiters, intake, taps } = parts

  /** Accepts a submission. Its outcome has the result as the caller's schema reads it. */
  function take(work: () => Promise<Submission>, asked?: TurnOptions): Promise<Submission<never>> {
    const schema = asked?.output ?? options.output
    return enter(host, async () => {
      const submission = await work()
      void host.track(state.idle())
      return {
        runId: submission.runId,
        delivery: submission.delivery,
        get outcome() {
          const { outcome } = submission
          host.track(outcome).catch(ignore)
          return deliver(outcome, schema)
        },
      }
    })
  }

  /** Does not wait for the disk. A power cut may lose a message that is sent this way; `submit` waits. */
  const begin = (input: UserInput, submitted: SubmitOptions) =>
    take(() => intake.submit(input, submitted, { isSynced: false }), submitted)

  const restore = ({ stored }: OpenThread, turn: RunningTurn): void => {
    if (stored) queue.restore(stored.state, stored.state.unfinished && turn)
  }

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
    submit: (input, submitted) => take(() => intake.submit(input, submitted), submitted),
    hasMessage: (messageId) => intake.hasMessage(messageId),
    continue: (token, more) => take(() => intake.continue(token, more), more),
    async send(input, sent) {
      return (await begin(input, { ...sent, mode: 'send' })).outcome as Promise<never>
    },
    stream: (input, sent) =>
      streamTurn(
        (buffer) => taps.add(buffer),
        () => begin(input, { ...sent, mode: 'send' }),
      ),
    steer: (text, sent) => toDelivery(session, text, { ...sent, mode: 'steer', fallback: 'refuse' }),
    followUp: (text, sent) => toDelivery(session, text, { ...sent, mode: 'follow-up', fallback: 'refuse' }),
    async interrupt(input, sent) {
      return (await begin(input, { ...sent, mode: 'interrupt' })).outcome as Promise<never>
    },
    resume: ({ untilParked = false } = {}) =>
      enter(host, async () => {
        let { output: schema } = options
        const resumed = await runner.resume((opened, turn) => {
          restore(opened, turn)
          const { stored } = opened
          // A schema given with the message is stored as JSON Schema, and the engine has already checked the result.
          if (stored?.state.unfinished?.output) schema = undefined
        })
        if ('outcome' in resumed) return resumed.outcome && deliver(Promise.resolve(resumed.outcome), schema)
        return untilParked ? undefined : deliver(waiters.wait(resumed.parked), schema)
      }),
    giveUp: () => enter(host, () => runner.giveUpInterrupted(restore)),
    settle: (waitsFor) => memory.current?.stored?.parking.settle(waitsFor) ?? false,
    useModel(model) {
      if (state.running) throw new TurnInProgressError()
      memory.useModel(model)
    },
    stop: (runId) => stopTurn(parts, host, restore, runId),
    async idle() {
      await state.idle()
      await queue.recorded()
    },
    abandon() {
      const why = new StoppingError()
      memory.release(why)
      state.running?.stop(why)
      queue.abandon(why)
      taps.release()
    },
  }
  return session
}

/** Stops the running turn, or ends the parked one. With an id, only if it is that run. */
function stopTurn(
  { state, memory, runner, taps }: ReturnType<typeof assemble>,
  host: SessionHost,
  restore: (opened: OpenThread, turn: RunningTurn) => void,
  runId: RunId | undefined,
): void {
  const { running } = state
  if (!running && memory.isStored) host.track(runner.stopParked(runId, restore)).catch(ignore)
  if (!running || (runId !== undefined && runId !== running.runId)) return
  running.stop(new Error('stopped by the user'))
  taps.release()
  // Its park may be past the last look at the signal.
  if (!running.isLeaving || !memory.isStored) return
  const stopIfParked = () => (state.type === 'parked' ? runner.stopParked(running.runId, restore) : undefined)
  host.track(running.end.then(stopIfParked)).catch(ignore)
}

function enter<Result>(host: SessionHost, work: () => Promise<Result>): Promise<Result> {
  try {
    host.admit()
  } catch (error) {
    return Promise.reject(error)
  }
  return host.track(work())
}

const deliver = (outcome: Promise<TurnOutcome>, schema: OutputSchema | undefined): Promise<TurnOutcome> =>
  schema ? outcome.then((ended) => readOutcome(ended, schema)) : outcome

/** Creates the parts of a session. Each part owns one state; see its file. */
function assemble(options: SessionOptions, host: SessionHost, onInterrupted: () => void) {
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
    announce(event) {
      state.noteAnnounced(event)
      return taps.report(event)
    },
    onOpened: (opened) => runner.noteOpened(opened),
  })
  const waiters = new RunWaiters(store?.runs)
  const queue = new MessageQueue({
    clock,
    isStored: store !== undefined,
    recorder: () => memory.current?.stored?.recorder,
    openRecorder: async () => (await memory.open()).stored!.recorder,
    onFollowUp: () => intake.startNext(),
  })
  const runner = new TurnRunner({
    state,
    memory,
    waiters,
    checkpoint,
    admit: () => host.admit(),
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
    queueMode: toQueueMode(options.queueMode),
    runs: store?.runs,
    approvals: store?.approvals,
    onProblem,
  })
  return { threadId, state, memory, runner, queue, waiters, intake, taps }
}

/** A store failure ends the running turn with an error of its own, so the sender only learns that delivery failed. */
async function toDelivery(session: Session, text: string, options: SubmitOptions): Promise<Delivery> {
  try {
    return await (
      await session.submit(text, options)
    ).delivery
  } catch (error) {
    if (error instanceof StoppingError) return { delivered: false, reason: STOPPED }
    if (!(error instanceof StoreError)) throw error
    return { delivered: false, reason: `it could not be recorded: ${String(error)}` }
  }
}

const STOPPED = 'the process stopped first; a stored message is taken after the restart'
