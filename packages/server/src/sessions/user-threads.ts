import type { AgentOptions, ModelClient, Session, Threads, ThreadsOptions } from '@capstan/harness'
import type { EventBus } from '@capstan/harness/integrations'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { createThreads } from '@capstan/harness'
import { quietClock } from '@capstan/harness/seams'
import type { QueueMode, ThreadId, ThreadRow } from '@capstan/protocol'
import type { Update } from './assistant.ts'
import { createThreadUpdates } from './thread-updates.ts'

export interface UserThreadsOptions {
  readonly userId: string
  readonly store: Store
  readonly bus: EventBus
  readonly agent: (thread: ThreadRow) => AgentOptions
  /** The model of the next turn. */
  readonly model: () => ModelClient
  /** The queue mode of threads without one of their own. */
  readonly queueMode: () => QueueMode
  /** Counts the changes of the settings. */
  readonly settingsVersion: () => number
  /** Whether no turn of this user may start. Default: never. */
  readonly isHeld?: () => boolean
  /** With several nodes: has the right one resume a turn. */
  readonly dispatch?: ThreadsOptions['dispatch']
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
  const updates = createThreadUpdates({
    userId,
    store,
    publish,
    onProblem,
    isHeld: options.isHeld ?? (() => false),
    isShared: options.dispatch !== undefined,
  })
  const inner = createThreads({
    store,
    userId,
    bus: options.bus,
    agent: options.agent,
    queueMode: options.queueMode,
    ...(options.dispatch && { dispatch: options.dispatch }),
    onEvent: (event) => updates.onEvent(event),
    onProblem,
    clock,
  })

  function bringUpToDate(session: Session): Session {
    const version = options.settingsVersion()
    if (session.state === 'running' || (upToDate.get(session) ?? 0) === version) return session
    session.useModel(options.model())
    upToDate.set(session, version)
    return session
  }

  async function publishIf(isChanged: boolean, id: string): Promise<boolean> {
    if (isChanged) await updates.publishThread(id)
    return isChanged
  }

  return {
    ...inner,
    async create(thread) {
      const row = await inner.create(thread)
      publish({ userId, type: 'thread-change', thread: row })
      return row
    },
    open: async (id) => bringUpToDate(await inner.open(id)),
    reopen: async (id) => bringUpToDate(await inner.reopen(id)),
    rename: async (id, title) => publishIf(await inner.rename(id, title), id),
    archive: async (id, isArchived) => publishIf(await inner.archive(id, isArchived), id),
    setQueueMode: async (id, mode) => publishIf(await inner.setQueueMode(id, mode), id),
    async delete(id) {
      const isGone = await inner.delete(id)
      updates.removeThread(id as ThreadId)
      if (isGone) publish({ userId, type: 'thread-remove', threadId: id as ThreadId })
      return isGone
    },
    async resume() {
      for (const { id, threadId } of await inner.pendingApprovals()) updates.addOpenApproval(id, threadId)
      return inner.resume()
    },
    async answer(id, decision, constraints) {
      const receipt = await inner.answer(id, decision, constraints)
      if (receipt === 'accepted' || receipt === 'expired') await updates.publishApproval(id)
      return receipt
    },
    async answerInWords(id, text, messageId) {
      const said = await inner.answerInWords(id, text, messageId)
      if (said?.type === 'answered') await updates.publishApproval(said.approvalId)
      return said
    },
  }
}
