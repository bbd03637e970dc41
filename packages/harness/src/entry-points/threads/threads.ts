import type {
  AnswerReceipt,
  ApprovalDecision,
  ThreadId,
  ThreadRow,
  TurnEvent,
  WaitsFor,
} from '@capstan/protocol'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Store, StoredApproval, ThreadHit, ThreadQuery } from '../../ports/store.ts'
import type { Clock } from '../../turn/clock.ts'
import { systemClock } from '../../turn/clock.ts'
import { newThreadId } from '../../turn/new-id.ts'
import type { AgentOptions } from '../agent-options.ts'
import type { Session, SessionHost } from '../session/session.ts'
import { createHostedSession } from '../session/session.ts'
import { ApprovalExpiry } from './approval-expiry.ts'
import { SessionPool } from './session-pool.ts'
import { TurnWaker } from './turn-waker.ts'

/** What `createThreads` takes. */
export interface ThreadsOptions {
  readonly store: Store
  /** What the turns of a thread run with. */
  readonly agent: AgentOptions | ((thread: ThreadRow) => AgentOptions)
  /** Whose threads they are. Default `local`. */
  readonly userId?: string
  /** Default seven days: a parked turn costs nothing. */
  readonly approvalTimeoutMs?: number
  /** Every event of every thread, after it was stored. */
  readonly onEvent?: (event: TurnEvent) => void | Promise<void>
  /** Tells of changed connections: a turn that waits for a sign-in goes on when it is settled. */
  readonly bus?: EventBus
  /** Gets what failed while nobody awaited it, such as a turn that could not be resumed. Default: a warning. */
  readonly onProblem?: (error: unknown, threadId?: ThreadId) => void
  readonly clock?: Clock
}

/** All threads of a user in one store: each is one conversation, and each runs one turn at a time. */
export interface Threads {
  create(thread?: { readonly id?: string; readonly title?: string }): Promise<ThreadRow>
  /** The same session for the same thread. Rejects for an id that is unknown, or somebody else's. */
  open(id: string): Promise<Session>
  get(id: string): Promise<ThreadRow | undefined>
  list(query?: Omit<ThreadQuery, 'userId'>): Promise<readonly ThreadRow[]>
  search(words: string, limit?: number): Promise<readonly ThreadHit[]>
  rename(id: string, title: string): Promise<boolean>
  archive(id: string, isArchived?: boolean): Promise<boolean>
  /** Stops its turn first. */
  delete(id: string): Promise<boolean>
  /** Resumes every unfinished turn. Settles when each of them is running again or waits. */
  resume(): Promise<{ readonly running: number; readonly waiting: number }>
  /** Approvals that nobody has answered yet. */
  pendingApprovals(): Promise<readonly StoredApproval[]>
  /** Answers an approval, and lets the turn that waits for it go on. */
  answer(approvalId: string, decision: Exclude<ApprovalDecision, 'expired'>): Promise<AnswerReceipt>
  /** Resumes the turn that waits for this. False when none does. */
  wake(waitsFor: WaitsFor): Promise<boolean>
  /** Settles when no turn of any thread is running. A parked one is not running. */
  idle(): Promise<void>
  /** New turns are refused, running ones get the grace time, and the rest is resumed at the next start. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

/** All threads of a user in one store, each with one session. */
export function createThreads(options: ThreadsOptions): Threads {
  const { store, userId = 'local', clock = systemClock } = options
  const { onProblem = warn } = options
  /** Turns that are about to go on. */
  const waking = new Set<Promise<void>>()
  const tellProblem = (error: unknown, threadId?: ThreadId): void => {
    if (!pool.isStopping) onProblem(error, threadId)
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
      const own = { userId, clock, onEvent, onProblem: (error: unknown) => tellProblem(error, thread.id) }
      return openSession(thread, options, model === undefined ? own : { ...own, model }, host)
    },
  })
  const waker = new TurnWaker(store, userId, pool, tellProblem)
  const expiry: ApprovalExpiry = new ApprovalExpiry({
    approvals: store.approvals,
    clock,
    onExpired: (id, threadId) => waker.wakeAnswered(id, threadId),
    onProblem: tellProblem,
  })
  const unsubscribe = options.bus?.subscribe((event) => {
    if (event.type !== 'connections-changed') return
    const { connection } = event
    if (connection.userId !== userId || connection.status === 'pending') return
    const work = waker.wakeConnected(connection).catch(tellProblem)
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

  return {
    ...createThreadRows(store, userId, clock, pool, find),
    open: (id) => pool.open(id),
    resume: async () => {
      await expiry.expire()
      return resumeUnfinished(store, userId, pool, waker)
    },
    pendingApprovals: async () => store.approvals.list({ userId, pending: true, now: clock.now() }),
    async answer(approvalId, decision) {
      const asked = await store.approvals.get(approvalId)
      if (!asked || !(await find(asked.threadId))) return 'unknown'
      const receipt = await store.approvals.answer(approvalId, decision, clock.now())
      if (receipt === 'accepted' || receipt === 'expired')
        await waker.wakeAnswered(approvalId, asked.threadId)
      await expiry.arm()
      return receipt
    },
    wake: (waitsFor) => waker.wake(waitsFor),
    idle,
    async stop({ graceMs = 5_000 } = {}) {
      unsubscribe?.()
      expiry.stop()
      await pool.stop(graceMs, idle)
    },
  }
}

function openSession(
  thread: ThreadRow,
  { agent, store, approvalTimeoutMs }: ThreadsOptions,
  shared: Partial<AgentOptions> & { readonly userId: string; readonly onProblem: (error: unknown) => void },
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

type ThreadRows = Pick<Threads, 'create' | 'get' | 'list' | 'search' | 'rename' | 'archive' | 'delete'>

/** The rows of a user's own threads. */
function createThreadRows(
  store: Store,
  userId: string,
  clock: Clock,
  pool: SessionPool,
  find: (id: string) => Promise<ThreadRow | undefined>,
): ThreadRows {
  return {
    async create({ id = newThreadId(), title } = {}) {
      pool.admit()
      const named = title === undefined ? {} : { title }
      return store.threads.create({ id: id as ThreadId, userId, at: clock.now(), ...named })
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
    async delete(id) {
      if (!(await find(id))) return false
      await pool.remove(id as ThreadId)
      return store.threads.delete(id as ThreadId)
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
    if (run.status === 'waiting' && !(await waker.isAnswered(run))) waiting++
    else {
      running++
      await waker.resume(run.threadId)
    }
  }
  // A message that came in the last moment of a turn begins a turn of its own now.
  const withMessages = (await store.threads.withQueued()).filter((thread) => thread.userId === userId)
  for (const { id } of withMessages) if (!pool.isBusy(id)) await waker.resume(id)
  return { running, waiting }
}

function warn(error: unknown, threadId?: ThreadId): void {
  const where = threadId === undefined ? '' : ` in ${threadId}`
  process.emitWarning(`something could not go on${where}: ${String(error)}`, 'CapstanThreads')
}
