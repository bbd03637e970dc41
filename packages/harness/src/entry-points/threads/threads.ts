import type {
  AnswerReceipt,
  ExactArguments,
  GivenAnswer,
  GrantConstraints,
  QueueMode,
  ThreadId,
  ThreadRow,
  TurnEvent,
  WaitsFor,
} from '@capstan/protocol'
import { revealArguments } from '../../ledger/reveal-arguments.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import { isPending } from '../../ports/rows/approval-row.ts'
import type { Store, StoredApproval, ThreadHit, ThreadQuery } from '../../ports/store.ts'
import type { Clock } from '../../turn/clock.ts'
import { systemClock } from '../../turn/clock.ts'
import { HeldError } from '../../turn/errors.ts'
import { newThreadId } from '../../turn/new-id.ts'
import type { AgentOptions } from '../agent-options.ts'
import type { Session, SessionHost, SessionOptions } from '../session/session.ts'
import { createHostedSession } from '../session/session.ts'
import type { WordAnswer, WordOptions } from './answer-in-words.ts'
import { createWordAnswers } from './answer-in-words.ts'
import { ApprovalExpiry } from './approval-expiry.ts'
import { QueueModes } from './queue-modes.ts'
import { SessionPool } from './session-pool.ts'
import type { DispatchTurn } from './turn-waker.ts'
import { TurnWaker } from './turn-waker.ts'

/** Options of `createThreads`. */
export interface ThreadsOptions {
  readonly store: Store
  /** The agent options of all threads, or of each thread. */
  readonly agent: AgentOptions | ((thread: ThreadRow) => AgentOptions)
  /** The owner of the threads. Default `local`. */
  readonly userId?: string
  /** How long an approval may wait. Default: seven days, because a parked turn costs nothing. */
  readonly approvalTimeoutMs?: number
  /** The queue mode of threads without one of their own. A function is asked each time. Default `one-by-one`. */
  readonly queueMode?: QueueMode | (() => QueueMode)
  /** Called with every event of every thread, after it is stored. */
  readonly onEvent?: (event: TurnEvent) => void | Promise<void>
  /** Reports changed connections, so that a turn waiting for a sign-in is resumed when the sign-in is settled. */
  readonly bus?: EventBus
  /**
   * For several nodes that share a store: called instead of resuming a turn here. The node that is to run the thread calls
   * `reopen`, and resumes what `hasWork` tells of.
   */
  readonly dispatch?: DispatchTurn
  /** Called with errors that no caller awaits, such as a turn that could not be resumed. Default: a process warning. */
  readonly onProblem?: (error: unknown, threadId?: ThreadId) => void
  readonly clock?: Clock
}

/** The threads of a user in one store. Each is one conversation and runs one turn at a time. */
export interface Threads {
  create(thread?: { readonly id?: string; readonly title?: string }): Promise<ThreadRow>
  /** Returns the same session for the same thread. Rejects for an unknown id or a thread of another user. */
  open(id: string): Promise<Session>
  /**
   * Opens a thread as it is stored now, in a session of its own. What this process remembers of the thread, and does in it,
   * is given up without a record: for a node that takes a thread over.
   */
  reopen(id: string): Promise<Session>
  /** Forgets the session of a thread that another node runs now. */
  drop(id: string): void
  /** Takes over the queue mode that another process has set, if the thread is open here. */
  refresh(id: string): Promise<void>
  /** Whether a turn can go on or start now: one was interrupted, what it waits for is settled, or messages are queued. */
  hasWork(id: string): Promise<boolean>
  get(id: string): Promise<ThreadRow | undefined>
  list(query?: Omit<ThreadQuery, 'userId'>): Promise<readonly ThreadRow[]>
  search(words: string, limit?: number): Promise<readonly ThreadHit[]>
  rename(id: string, title: string): Promise<boolean>
  archive(id: string, isArchived?: boolean): Promise<boolean>
  /** Sets what queued messages of a thread do, from now on. Undefined: the default. */
  setQueueMode(id: string, mode: QueueMode | undefined): Promise<boolean>
  /** Stops the thread's turn, then deletes the thread. */
  delete(id: string): Promise<boolean>
  /** Resumes every unfinished turn. Settles when each is running again or parked. */
  resume(): Promise<{ readonly running: number; readonly waiting: number }>
  /** The approvals without an answer. */
  pendingApprovals(): Promise<readonly StoredApproval[]>
  /**
   * Answers an approval and resumes the turn that waits for it. Constraints narrow the grant that the decision gives.
   * Rejects with a `StoreError` of kind `invalid` for constraints that do not fit; the approval stays open then.
   */
  answer(approvalId: string, decision: GivenAnswer, constraints?: GrantConstraints): Promise<AnswerReceipt>
  /**
   * Answers the only open approval of a thread with a message that is a yes or a no, in any of 14 languages. Undefined: the
   * message is no such answer, and is to be submitted. A yes means once.
   */
  answerInWords(threadId: string, text: string, options?: WordOptions): Promise<WordAnswer | undefined>
  /**
   * Exactly what the call of an open approval would run, with nothing hidden. Undefined for an approval that is not open,
   * is not this user's, or whose arguments cannot be proven to be the ones that would run.
   */
  revealArguments(approvalId: string): Promise<ExactArguments | undefined>
  /** Resumes the turn that waits for this. False when there is none. */
  wake(waitsFor: WaitsFor): Promise<boolean>
  /** Settles when no turn of any thread is running. A parked turn does not count as running. */
  idle(): Promise<void>
  /**
   * Stops every running turn and starts none, until `release`. A message is refused with `HeldError`. Parked turns and
   * stored messages stay where they are, and approvals can be answered. Settles when no turn is running. A hold ends
   * with the process: call it again at the next start, before `resume`.
   */
  hold(): Promise<void>
  /** Ends the hold and resumes every turn that can go on. */
  release(): Promise<void>
  /** Refuses new turns and gives running ones the grace time. The rest is resumed at the next start. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** Opens the threads of a user in one store, each with one session. */
export function createThreads(options: ThreadsOptions): Threads {
  const { store, userId = 'local', clock = systemClock } = options
  const { onProblem = warn } = options
  const modes = new QueueModes(options.queueMode)
  /** Turns that are about to be resumed. */
  const waking = new Set<Promise<void>>()
  const reportProblem = (error: unknown, threadId?: ThreadId): void => {
    if (!pool.isStopping && !(error instanceof HeldError)) onProblem(error, threadId)
  }
  const find = async (id: string): Promise<ThreadRow | undefined> => {
    const thread = await store.threads.get(id as ThreadId)
    return thread?.userId === userId ? thread : undefined
  }
  const pool: SessionPool = new SessionPool({
    clock,
    find,
    create(thread, host, model) {
      const onEvent = (event: TurnEvent) => {
        if (event.type === 'approval-request') void expiry.arm()
        return options.onEvent?.(event)
      }
      const onOwnProblem = (error: unknown) => reportProblem(error, thread.id)
      const own = { userId, clock, onEvent, onProblem: onOwnProblem, queueMode: () => modes.of(thread) }
      return openSession(thread, options, model === undefined ? own : { ...own, model }, host)
    },
  })
  const waker = new TurnWaker(store, userId, pool, reportProblem, options.dispatch)
  const expiry: ApprovalExpiry = new ApprovalExpiry({
    approvals: store.approvals,
    clock,
    onExpired: (id, threadId) => waker.wakeAnswered(id, threadId),
    onProblem: reportProblem,
  })
  const unsubscribe = options.bus?.subscribe((event) => {
    if (event.type !== 'connections-changed') return
    const { connection } = event
    if (connection.userId !== userId || connection.status === 'pending') return
    const work = waker.wakeConnected(connection).catch(reportProblem)
    waking.add(work)
    void work.finally(() => waking.delete(work))
  })

  async function idle(): Promise<void> {
    for (;;) {
      await Promise.all(waking)
      const [session] = pool.running
      if (!session) return
      await session.idle()
    }
  }

  const answerAs = createAnswer({ store, clock, find, waker, expiry })
  const pendingApprovals = async () => store.approvals.list({ userId, pending: true, now: clock.now() })
  const answerInWords = createWordAnswers({
    pending: pendingApprovals,
    answer: (id, decision, messageId) => answerAs(id, decision, undefined, messageId),
    findAnswered: async (id, messageId) => store.approvals.findByMessage(id as ThreadId, messageId),
    hasMessage: async (id, messageId) => (await pool.open(id)).hasMessage(messageId),
    cameAfter: async ({ id, threadId }, seq) => {
      const later = await store.ledger.readEvents(threadId, seq)
      return later.some((event) => event.type === 'approval-request' && event.approvalId === id)
    },
  })

  async function resume(): Promise<{ readonly running: number; readonly waiting: number }> {
    await expiry.expire()
    return resumeUnfinished(store, userId, pool, waker)
  }

  return {
    ...createThreadRows({ store, userId, clock, pool, modes, find }),
    ...createHandover({ store, pool, waker, modes, find }),
    open: (id) => pool.open(id),
    resume,
    pendingApprovals,
    answer: (id, decision, constraints) => answerAs(id, decision, constraints),
    answerInWords,
    async revealArguments(approvalId) {
      const asked = await store.approvals.get(approvalId)
      if (!asked?.isIntact || !isPending(asked, clock.now()) || !(await find(asked.threadId)))
        return undefined
      return revealArguments(asked, await store.ledger.read(asked.threadId))
    },
    wake: (waitsFor) => waker.wake(waitsFor),
    idle,
    hold: () => pool.hold(idle),
    async release() {
      if (!pool.isHeld) return
      pool.release()
      await resume()
    },
    async stop({ graceMs = 5_000 } = {}) {
      unsubscribe?.()
      expiry.stop()
      await pool.stop(graceMs, idle)
    },
  }
}

interface AnswerParts {
  readonly store: Store
  readonly clock: Clock
  readonly find: (threadId: string) => Promise<unknown>
  readonly waker: TurnWaker
  readonly expiry: ApprovalExpiry
}

const createAnswer =
  ({ store, clock, find, waker, expiry }: AnswerParts) =>
  async (
    approvalId: string,
    decision: GivenAnswer,
    constraints: GrantConstraints | undefined,
    messageId?: string,
  ): Promise<AnswerReceipt> => {
    const asked = await store.approvals.get(approvalId)
    if (!asked || !(await find(asked.threadId))) return 'unknown'
    const receipt = await store.approvals.answer(approvalId, decision, clock.now(), constraints, messageId)
    if (receipt === 'accepted' || receipt === 'expired') await waker.wakeAnswered(approvalId, asked.threadId)
    await expiry.arm()
    return receipt
  }

function openSession(
  thread: ThreadRow,
  { agent, store, approvalTimeoutMs }: ThreadsOptions,
  shared: Partial<AgentOptions> & Pick<SessionOptions, 'userId' | 'onProblem' | 'queueMode'>,
  host: SessionHost,
): Session {
  const own = typeof agent === 'function' ? agent(thread) : agent
  return createHostedSession(
    {
      ...own,
      ...shared,
      threadId: thread.id,
      store,
      ...(approvalTimeoutMs === undefined ? undefined : { approvalTimeoutMs }),
      onEvent: (event) => {
        const slow = own.onEvent?.(event)
        return slow ? slow.then(() => shared.onEvent?.(event)) : shared.onEvent?.(event)
      },
    },
    host,
  )
}

type ThreadRows = Pick<
  Threads,
  'create' | 'get' | 'list' | 'search' | 'rename' | 'archive' | 'setQueueMode' | 'delete'
>

interface ThreadRowsParts {
  readonly store: Store
  readonly userId: string
  readonly clock: Clock
  readonly pool: SessionPool
  readonly modes: QueueModes
  readonly find: (id: string) => Promise<ThreadRow | undefined>
}

/** Reads and changes the thread rows of one user. */
function createThreadRows({ store, userId, clock, pool, modes, find }: ThreadRowsParts): ThreadRows {
  return {
    async create({ id = newThreadId(), title } = {}) {
      pool.admit()
      const named = title === undefined ? {} : { title }
      const thread = await store.threads.create({ id: id as ThreadId, userId, at: clock.now(), ...named })
      // The caller is about to tell others of it.
      if (store.ledger.announceAfterSync) await store.ledger.sync()
      return thread
    },
    get: find,
    list: async (query) => store.threads.list({ ...query, userId }),
    search: async (words, limit) =>
      store.threads.search({ userId, words, ...(limit === undefined ? {} : { limit }) }),
    async rename(id, title) {
      return (await find(id)) ? store.threads.rename(id as ThreadId, title) : false
    },
    async archive(id, isArchived = true) {
      const at = isArchived ? clock.now() : undefined
      return (await find(id)) ? store.threads.archive(id as ThreadId, at) : false
    },
    async setQueueMode(id, mode) {
      const isSet = (await find(id)) ? await store.threads.setQueueMode(id as ThreadId, mode) : false
      if (isSet) modes.set(id as ThreadId, mode)
      return isSet
    },
    async delete(id) {
      if (!(await find(id))) return false
      modes.forget(id as ThreadId)
      await pool.remove(id as ThreadId)
      return store.threads.delete(id as ThreadId, clock.now())
    },
  }
}

async function resumeUnfinished(
  store: Store,
  userId: string,
  pool: SessionPool,
  waker: TurnWaker,
): Promise<{ readonly running: number; readonly waiting: number }> {
  let running = 0
  let waiting = 0
  for (const run of await store.runs.unfinished()) {
    const thread = await store.threads.get(run.threadId)
    if (thread?.userId !== userId) continue
    if (pool.isHeld || (run.status === 'waiting' && !(await waker.isAnswered(run)))) waiting++
    else {
      running++
      await waker.resume(run.threadId)
    }
  }
  if (pool.isHeld) return { running, waiting }
  // A message that arrived just before its turn ended, or could not start one, starts a new turn now.
  const withMessages = (await store.threads.withQueued()).filter((thread) => thread.userId === userId)
  for (const { id } of withMessages) if (pool.isIdle(id)) await waker.resume(id)
  return { running, waiting }
}

/** For nodes that take threads over from one another. */
const createHandover = ({
  store,
  pool,
  waker,
  modes,
  find,
}: Handover): Pick<Threads, 'reopen' | 'drop' | 'refresh' | 'hasWork'> => ({
  reopen(id) {
    pool.drop(id as ThreadId)
    modes.forget(id as ThreadId)
    return pool.open(id)
  },
  drop: (id) => pool.drop(id as ThreadId),
  async refresh(id) {
    if (!pool.peek(id as ThreadId)) return
    const thread = await find(id)
    if (thread) modes.set(thread.id, thread.queueMode)
  },
  async hasWork(id) {
    const thread = await find(id)
    return thread ? hasWork(store, waker, thread) : false
  },
})

interface Handover {
  readonly store: Store
  readonly pool: SessionPool
  readonly waker: TurnWaker
  readonly modes: QueueModes
  readonly find: (id: string) => Promise<ThreadRow | undefined>
}

async function hasWork(
  store: Store,
  waker: TurnWaker,
  { id: threadId, userId }: ThreadRow,
): Promise<boolean> {
  const [newest] = await store.runs.list({ userId, threadId, depth: 0, limit: 1 })
  if (newest?.status === 'running') return true
  if (newest?.status === 'waiting') return waker.isAnswered(newest)
  return (await store.threads.withQueued()).some(({ id }) => id === threadId)
}

function warn(error: unknown, threadId?: ThreadId): void {
  const where = threadId === undefined ? '' : ` in ${threadId}`
  process.emitWarning(`a turn could not be resumed${where}: ${String(error)}`, 'CapstanThreads')
}
