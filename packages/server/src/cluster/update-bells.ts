import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { Bell } from '@capstan/stores/postgres'
import type { Update } from '../sessions/assistant.ts'
import { summarise } from '../sessions/summarise.ts'
import { toApprovalRow } from '../sessions/to-approval-row.ts'

/**
 * Tells other nodes of the updates of this one, and publishes theirs here. The bell carries ids; what has changed is read
 * from the store. Changes of connections and settings have bells of their own.
 */
export function shareUpdates(options: {
  readonly bell: Bell
  readonly store: Store
  readonly isHeld: (userId: string) => boolean
  /** Publishes on this node only. */
  readonly publish: (update: Update) => void
  /** Called with a thread that another node has changed. */
  readonly onThreadChange: (userId: string, threadId: string) => Promise<void>
  readonly onProblem: (error: unknown) => void
}): (update: Update) => void {
  const { bell, store, isHeld, publish, onProblem } = options
  const inBackground = (work: () => Promise<void>): void => void work().catch(onProblem)

  bell.on('thread', (threadId, seq = 0) =>
    publish({ userId: '', type: 'thread-advance', threadId: threadId as ThreadId, seq }),
  )
  bell.on('thread-change', (key) =>
    inBackground(async () => {
      const [threadId, userId] = readKey(key)
      await options.onThreadChange(userId, threadId)
      const thread = await summarise(store, userId, threadId, isHeld(userId))
      if (thread) publish({ userId, type: 'thread-change', thread })
    }),
  )
  bell.on('thread-remove', (key) => {
    const [threadId, userId] = readKey(key)
    publish({ userId, type: 'thread-remove', threadId: threadId as ThreadId })
  })
  bell.on('approval-change', (key) =>
    inBackground(async () => {
      const [approvalId, userId] = readKey(key)
      const approval = await store.approvals.get(approvalId)
      // Whoever may connect to the database may ring.
      const thread = approval && (await store.threads.get(approval.threadId))
      if (approval && thread?.userId === userId)
        publish({ userId, type: 'approval-change', approval: toApprovalRow(approval) })
    }),
  )
  bell.on('jobs-change', (userId) => publish({ userId, type: 'jobs-change' }))
  bell.on('memory-change', (userId) => publish({ userId, type: 'memory-change' }))
  bell.onGap(() => publish({ userId: '', type: 'updates-missed' }))

  return (update) => {
    publish(update)
    const { userId } = update
    switch (update.type) {
      case 'turn-event':
        return bell.ring('thread', update.event.threadId, update.event.seq)
      case 'thread-change':
        return bell.ring('thread-change', toKey(update.thread.id, userId))
      case 'thread-remove':
        return bell.ring('thread-remove', toKey(update.threadId, userId))
      case 'approval-change':
        return bell.ring('approval-change', toKey(update.approval.id, userId))
      case 'jobs-change':
        return bell.ring('jobs-change', userId)
      case 'memory-change':
        return bell.ring('memory-change', userId)
      case 'settings-change':
      case 'connection-change':
      case 'toolkits-change':
        return // documents and connections have bells of their own
      case 'thread-advance':
      case 'updates-missed':
        return // from another node
    }
  }
}

// Ids have no spaces; the id of a user may.
const toKey = (id: string, userId: string): string => `${id} ${userId}`

function readKey(key: string): readonly [id: string, userId: string] {
  const end = key.indexOf(' ')
  return [key.slice(0, end), key.slice(end + 1)]
}
