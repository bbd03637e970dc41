import type {
  AnswerReceipt,
  ApprovalDecision,
  ConnectionRow,
  RunRow,
  ThreadId,
  ThreadRow,
  TurnEvent,
  WaitsFor,
} from '@capstan/protocol'
import type { EventBus } from '../ports/event-bus.ts'
import type { Store, StoredApproval, ThreadHit, ThreadQuery } from '../ports/store.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { Clock } from '../turn/clock.ts'
import { systemClock } from '../turn/clock.ts'
import { ConfigurationError, StoppingError } from '../turn/errors.ts'
import { newThreadId } from '../turn/new-id.ts'
import type { AgentOptions } from './agent-options.ts'
import type { Session } from './session-agent.ts'
import { createSession } from './session-agent.ts'

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
  /** Where news of connections comes from: a turn that waits for a sign-in goes on when it is settled. */
  readonly bus?: EventBus
  /** Hears of what failed while nobody waited for it, such as a turn that could not go on. Default: a warning. */
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
  /** Takes up every unfinished turn. Settles when each of them is running again or waits. */
  resume(): Promise<{ readonly running: number; readonly waiting: number }>
  /** Approvals that nobody has answered yet. */
  pendingApprovals(): Promise<readonly StoredApproval[]>
  /** Answers an approval, and lets the turn that waits for it go on. */
  answer(approvalId: string, decision: Exclude<ApprovalDecision, 'expired'>): Promise<AnswerReceipt>
  /** What a turn waited for has come: it goes on. False when none waits for it. */
  wake(waitsFor: WaitsFor): Promise<boolean>
  /** Settles when no turn of any thread is running. A parked one is not running. */
  idle(): Promise<void>
  /** New turns are refused, running ones get the grace time, and the rest is left for the next start to take up. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

export function createThreads(options: ThreadsOptions): Threads {
  const { store, userId = 'local', onEvent, clock = systemClock } = options
  const { onProblem = warn } = options
  const sessions = new Map<ThreadId, WeakRef<Session>>()
  const collected = new FinalizationRegistry<ThreadId>((id) => {
    if (!sessions.get(id)?.deref()) sessions.delete(id)
  })
  /** Kept while something happens in them. */
  const busy = new Map<ThreadId, Session>()
  /** What the threads were switched to. */
  const models = new Map<ThreadId, ModelClient | string>()
  /** Turns that are about to go on. */
  const waking = new Set<Promise<void>>()
  let isStopping = false
  let disarm = (): void => {}

  async function ownThread(id: string): Promise<ThreadRow | undefined> {
    const thread = await store.threads.get(id as ThreadId)
    return thread?.userId === userId ? thread : undefined
  }

  async function open(id: string): Promise<Session> {
    const known = sessions.get(id as ThreadId)?.deref()
    if (known) return known
    const thread = await ownThread(id)
    if (!thread) throw new ConfigurationError('threadId', `there is no thread "${id}"`)
    const session = sessions.get(thread.id)?.deref() ?? guard(createFor(thread))
    sessions.set(thread.id, new WeakRef(session))
    collected.register(session, thread.id)
    return session
  }

  function createFor(thread: ThreadRow): Session {
    const { agent, approvalTimeoutMs } = options
    const own = typeof agent === 'function' ? agent(thread) : agent
    const model = models.get(thread.id) ?? own.model
    return createSession({
      ...own,
      model,
      threadId: thread.id,
      store,
      userId,
      clock,
      ...(approvalTimeoutMs === undefined ? undefined : { approvalTimeoutMs }),
      onProblem: (error) => tellProblem(error, thread.id),
      onEvent: (event) => {
        if (event.type === 'approval-request') void armExpiry()
        const slow = own.onEvent?.(event)
        return slow ? slow.then(() => onEvent?.(event)) : onEvent?.(event)
      },
    })
  }

  /** The session, held in memory while it works, and shut when we stop. */
  function guard(session: Session): Session {
    const keep = <Result>(work: Promise<Result>): Promise<Result> => {
      busy.set(session.threadId, held)
      return work.finally(() => {
        if (!session.isBusy) busy.delete(session.threadId)
      })
    }
    const hold = <Result>(work: () => Promise<Result>): Promise<Result> =>
      isStopping ? Promise.reject(new StoppingError()) : keep(work())
    const held: Session = {
      ...session,
      get messages() {
        return session.messages
      },
      get isBusy() {
        return session.isBusy
      },
      get isRunning() {
        return session.isRunning
      },
      send: (input, more) => hold(() => session.send(input, more)),
      post: (input, more) =>
        hold(async () => {
          const accepted = await session.post(input, more)
          void keep(session.idle())
          return {
            runId: accepted.runId,
            get outcome() {
              const { outcome } = accepted
              keep(outcome).catch(ignore)
              return outcome
            },
          }
        }),
      continue: (token, more) => hold(() => session.continue(token, more)),
      interrupt: (input, more) => hold(() => session.interrupt(input, more)),
      resume: (more) => hold(() => session.resume(more)),
      useModel(model) {
        session.useModel(model)
        models.set(session.threadId, model)
      },
    }
    return held
  }

  async function resume(run: Pick<RunRow, 'threadId'>): Promise<void> {
    const session = await open(run.threadId)
    session.resume({ untilParked: true }).catch((error: unknown) => tellProblem(error, run.threadId))
  }

  async function wake(waitsFor: WaitsFor): Promise<boolean> {
    const run = await store.runs.findWaiting(waitsFor)
    if (!run || isStopping) return false
    await resume(run)
    return true
  }

  /** Whoever answers while the turn is only just being parked finds nobody waiting yet. */
  async function wakeSoon(waitsFor: WaitsFor, threadId: ThreadId): Promise<void> {
    if (await wake(waitsFor)) return
    const session = sessions.get(threadId)?.deref()
    if (!session?.isRunning) return
    const again = session.idle().then(() => wake(waitsFor))
    again.catch((error: unknown) => tellProblem(error, threadId))
  }

  /** The same for sign-ins, of which nobody says whose turn waits for them. */
  async function connectionSettled(connection: ConnectionRow): Promise<void> {
    await signInSettled(connection.id)
    if (connection.status !== 'active') return
    // Whoever waits for the same app through another card has what it needs.
    for (const { id, toolkit, status } of await store.connections.list(userId))
      if (toolkit === connection.toolkit && status === 'pending') await signInSettled(id)
  }

  async function signInSettled(id: string): Promise<void> {
    const running = [...busy.values()].filter((session) => session.isRunning)
    if (await wake({ kind: 'sign-in', id })) return
    for (const session of running)
      session
        .idle()
        .then(() => wake({ kind: 'sign-in', id }))
        .catch(tellProblem)
  }

  /** One timer for all approvals: a refusal must come even when nobody asks. */
  async function armExpiry(): Promise<void> {
    try {
      const next = await store.approvals.nextExpiry()
      disarm()
      if (next === undefined || isStopping) return
      disarm = clock.after(Math.max(0, next - clock.now()), () => void expire().catch(tellProblem))
    } catch (error) {
      tellProblem(error)
    }
  }

  function tellProblem(error: unknown, threadId?: ThreadId): void {
    if (!isStopping) onProblem(error, threadId)
  }

  async function expire(): Promise<void> {
    for (const { id, threadId } of await store.approvals.expire(clock.now()))
      await wakeSoon({ kind: 'approval', id }, threadId)
    await armExpiry()
  }

  async function idle(): Promise<void> {
    const running = () => [...busy.values()].find((session) => session.isRunning)
    for (;;) {
      await Promise.all(waking)
      const session = running()
      if (!session) return
      await session.idle()
    }
  }

  const unsubscribe = options.bus?.subscribe((event) => {
    if (event.type !== 'connections-changed') return
    const { connection } = event
    if (connection.userId !== userId || connection.status === 'pending') return
    const work = connectionSettled(connection).catch(tellProblem)
    waking.add(work)
    void work.finally(() => waking.delete(work))
  })

  return {
    async create({ id = newThreadId(), title } = {}) {
      if (isStopping) throw new StoppingError()
      const named = title === undefined ? {} : { title }
      return store.threads.create({ id: id as ThreadId, userId, at: clock.now(), ...named })
    },
    open,
    get: ownThread,
    list: async (query) => store.threads.list({ ...query, userId }),
    search: async (words, limit) =>
      store.threads.search({ userId, words, ...(limit === undefined ? {} : { limit }) }),
    async rename(id, title) {
      return (await ownThread(id)) ? store.threads.rename(id as ThreadId, title) : false
    },
    async archive(id, isArchived = true) {
      const at = isArchived ? clock.now() : undefined
      return (await ownThread(id)) ? store.threads.archive(id as ThreadId, at) : false
    },
    async delete(id) {
      if (!(await ownThread(id))) return false
      const session = sessions.get(id as ThreadId)?.deref()
      session?.stop()
      await session?.idle()
      sessions.delete(id as ThreadId)
      busy.delete(id as ThreadId)
      models.delete(id as ThreadId)
      return store.threads.delete(id as ThreadId)
    },
    async resume() {
      await expire()
      let running = 0
      let waiting = 0
      for (const run of await store.runs.unfinished()) {
        if (!(await ownThread(run.threadId))) continue
        if (run.status === 'waiting' && !(await isAnswered(run, store))) waiting++
        else {
          running++
          await resume(run)
        }
      }
      // What was said in the last moment of a turn is a turn of its own now.
      const unheard = (await store.threads.withQueued()).filter((thread) => thread.userId === userId)
      for (const { id } of unheard) if (!busy.has(id)) await resume({ threadId: id })
      return { running, waiting }
    },
    pendingApprovals: async () => store.approvals.list({ userId, pending: true, now: clock.now() }),
    async answer(approvalId, decision) {
      const asked = await store.approvals.get(approvalId)
      if (!asked || !(await ownThread(asked.threadId))) return 'unknown'
      const receipt = await store.approvals.answer(approvalId, decision, clock.now())
      if (receipt === 'accepted' || receipt === 'expired')
        await wakeSoon({ kind: 'approval', id: approvalId }, asked.threadId)
      await armExpiry()
      return receipt
    },
    wake,
    idle,
    async stop({ graceMs = 5_000 } = {}) {
      isStopping = true
      unsubscribe?.()
      disarm()
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(graceMs, resolve)
      await Promise.race([idle(), over])
      cancel()
      for (const session of busy.values()) session.abandon()
      await idle()
    },
  }
}

/** What it waits for has come, but nobody could tell it. */
async function isAnswered(run: RunRow, store: Store): Promise<boolean> {
  const waiting = run.waitsFor ? run : (await store.runs.tree(run.id)).find((one) => one.waitsFor)
  if (!waiting?.waitsFor) return true
  const { kind, id } = waiting.waitsFor
  if (kind === 'approval') return (await store.approvals.get(id))?.decision !== undefined
  const connection = await store.connections.get(id)
  if (connection?.status !== 'pending') return connection !== undefined
  const { userId, toolkit } = connection
  const own = await store.connections.list(userId)
  return own.some((other) => other.toolkit === toolkit && other.status === 'active')
}

function warn(error: unknown, threadId?: ThreadId): void {
  const where = threadId === undefined ? '' : ` in ${threadId}`
  process.emitWarning(`something could not go on${where}: ${String(error)}`, 'CapstanThreads')
}

const ignore = (): void => {}
