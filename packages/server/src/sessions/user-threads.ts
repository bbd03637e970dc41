import type { AgentOptions, Clock, EventBus, ModelClient, Session, Store, Threads } from '@capstan/harness'
import { createThreads, quietClock } from '@capstan/harness'
import type { ApprovalRow, ThreadId, ThreadRow, ThreadSummary, TurnEvent } from '@capstan/protocol'
import type { Update } from './assistant.ts'

export interface UserThreadsOptions {
  readonly userId: string
  readonly store: Store
  readonly bus: EventBus
  readonly agent: (thread: ThreadRow) => AgentOptions
  /** The model of the next turn. */
  readonly model: () => ModelClient
  /** Counts the changes of the settings. */
  readonly settingsVersion: () => number
  readonly publish: (update: Update) => void
  readonly onProblem: (error: unknown, threadId?: ThreadId) => void
  readonly clock?: Clock
}

/**
 * The threads of one user, with their updates. A change of the settings applies to a thread from its next turn: its session
 * drops its state in memory and reads it again.
 */
export function createUserThreads(options: UserThreadsOptions): Threads {
  const { userId, store, publish, onProblem, clock = quietClock } = options
  const upToDate = new WeakMap<Session, number>()
  /** Approvals that were published as open and not yet as answered. */
  const openApprovals = new Map<string, ThreadId>()
  /** The last published state of each thread. */
  const published = new Map<ThreadId, string>()

  const inner = createThreads({
    store,
    userId,
    bus: options.bus,
    agent: options.agent,
    onEvent: onEvent,
    onProblem,
    clock,
  })

  function onEvent(event: TurnEvent): void {
    publish({ userId, type: 'turn-event', event })
    const { type, threadId } = event
    if (type === 'turn-start' || type === 'turn-resume' || type === 'turn-end')
      quietly(publishThread(threadId))
    if (type === 'approval-request') {
      openApprovals.set(event.approvalId, threadId)
      quietly(publishApproval(event.approvalId))
    }
    if (type === 'approval-request' || type === 'connection-request') quietly(publishWhenParked(threadId))
    if (type === 'approval-answer') quietly(publishApproval(event.approvalId))
    if (type === 'turn-end') quietly(closeApprovals(threadId))
  }

  async function publishThread(threadId: string): Promise<void> {
    const thread = await summarise(store, userId, threadId)
    if (!thread) return
    // Starts and ends of sub-agents do not change the thread.
    const json = JSON.stringify(thread)
    if (published.get(thread.id) === json) return
    published.set(thread.id, json)
    publish({ userId, type: 'thread-change', thread })
  }

  /** There is no event for a parked turn: the turn is parked when its session is idle. */
  async function publishWhenParked(threadId: ThreadId): Promise<void> {
    const session = await inner.open(threadId)
    await session.idle()
    await publishThread(threadId)
  }

  async function publishApproval(id: string): Promise<void> {
    const row = await store.approvals.get(id)
    if (!row) return
    if (row.decision !== undefined && !openApprovals.delete(id)) return
    publish({ userId, type: 'approval-change', approval: toApprovalRow(row) })
  }

  /** Withdraws the approvals of an ended turn. One that was stopped while it asked had no time to. */
  async function closeApprovals(threadId: ThreadId): Promise<void> {
    const open = [...openApprovals].flatMap(([id, of]) => (of === threadId ? [id] : []))
    if (open.length === 0) return
    if ((await summarise(store, userId, threadId))?.activity !== undefined) return
    for (const id of open) {
      await store.approvals.answer(id, 'deny', clock.now())
      await publishApproval(id)
    }
  }

  function quietly(work: Promise<void>): void {
    work.catch((error: unknown) => onProblem(error))
  }

  function bringUpToDate(session: Session): void {
    const version = options.settingsVersion()
    if (session.isRunning || (upToDate.get(session) ?? 0) === version) return
    session.useModel(options.model())
    upToDate.set(session, version)
  }

  async function publishIf(isChanged: boolean, id: string): Promise<boolean> {
    if (isChanged) await publishThread(id)
    return isChanged
  }

  return {
    ...inner,
    async create(thread) {
      const row = await inner.create(thread)
      publish({ userId, type: 'thread-change', thread: row })
      return row
    },
    async open(id) {
      const session = await inner.open(id)
      bringUpToDate(session)
      return session
    },
    rename: async (id, title) => publishIf(await inner.rename(id, title), id),
    archive: async (id, isArchived) => publishIf(await inner.archive(id, isArchived), id),
    async delete(id) {
      const isGone = await inner.delete(id)
      published.delete(id as ThreadId)
      if (isGone) publish({ userId, type: 'thread-remove', threadId: id as ThreadId })
      return isGone
    },
    async resume() {
      for (const { id, threadId } of await inner.pendingApprovals()) openApprovals.set(id, threadId)
      return inner.resume()
    },
    async answer(id, decision) {
      const receipt = await inner.answer(id, decision)
      if (receipt === 'accepted' || receipt === 'expired') await publishApproval(id)
      return receipt
    },
  }
}

/** A thread with its activity; undefined for one of another user. */
export async function summarise(
  store: Store,
  userId: string,
  threadId: string,
): Promise<ThreadSummary | undefined> {
  const thread = await store.threads.get(threadId as ThreadId)
  if (thread?.userId !== userId) return undefined
  const [newest] = await store.runs.list({ userId, threadId: thread.id, depth: 0, limit: 1 })
  const isActive = newest?.status === 'running' || newest?.status === 'waiting'
  return isActive ? { ...thread, activity: newest.status } : thread
}

/** Without the fields that only the harness may see. */
function toApprovalRow(row: ApprovalRow): ApprovalRow {
  const { id, threadId, runId, callId, tool, label, digest, createdAt, expiresAt, decision, decidedAt } = row
  return {
    id,
    threadId,
    runId,
    callId,
    tool,
    label,
    arguments: row.arguments,
    digest,
    createdAt,
    expiresAt,
    ...(decision === undefined ? undefined : { decision }),
    ...(decidedAt === undefined ? undefined : { decidedAt }),
  }
}
