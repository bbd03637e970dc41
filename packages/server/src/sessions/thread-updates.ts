import type { Store } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Update } from './assistant.ts'
import { summarise } from './summarise.ts'
import { toApprovalRow } from './to-approval-row.ts'

/** Publishes the updates that follow from the events of one user's threads. */
export interface ThreadUpdates {
  onEvent(event: TurnEvent): void
  /** Publishes a thread that a person has changed, also when it is the same as last time: another node may have changed it. */
  publishThread(threadId: string): Promise<void>
  /** Publishes an approval when it is requested, and once more when it is answered. */
  publishApproval(approvalId: string): Promise<void>
  /** An approval that was published as open by an earlier process. */
  addOpenApproval(approvalId: string, threadId: ThreadId): void
  removeThread(threadId: ThreadId): void
}

export function createThreadUpdates(options: {
  readonly userId: string
  readonly store: Store
  readonly publish: (update: Update) => void
  readonly onProblem: (error: unknown) => void
  readonly isHeld: () => boolean
  /** Other nodes ask and answer, too: every answer is published. */
  readonly isShared?: boolean
}): ThreadUpdates {
  const { userId, store, publish, onProblem, isHeld, isShared = false } = options
  /** Approvals that were published as open and not yet as answered. */
  const openApprovals = new Map<string, ThreadId>()
  /** The last published state of each thread. */
  const published = new Map<ThreadId, string>()

  async function publishThread(
    threadId: string,
    { evenIfSame }: { readonly evenIfSame: boolean },
  ): Promise<void> {
    const thread = await summarise(store, userId, threadId, isHeld())
    if (!thread) return
    // Starts and ends of sub-agents do not change the thread.
    const json = JSON.stringify(thread)
    if (!evenIfSame && published.get(thread.id) === json) return
    published.set(thread.id, json)
    publish({ userId, type: 'thread-change', thread })
  }

  const publishIfChanged = (threadId: ThreadId): Promise<void> =>
    publishThread(threadId, { evenIfSame: false })

  async function publishApproval(id: string): Promise<void> {
    const row = await store.approvals.get(id)
    if (!row) return
    if (row.decision !== undefined && !openApprovals.delete(id) && !isShared) return
    publish({ userId, type: 'approval-change', approval: toApprovalRow(row) })
    // During a hold no event follows the answer.
    if (row.decision !== undefined) await publishIfChanged(row.threadId)
  }

  /** A turn that ends without an answer has withdrawn its approvals. */
  async function publishWithdrawn(threadId: ThreadId): Promise<void> {
    for (const [id, of] of openApprovals) if (of === threadId) await publishApproval(id)
  }

  function inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => onProblem(error))
  }

  return {
    onEvent(event) {
      publish({ userId, type: 'turn-event', event })
      const { type, threadId } = event
      if (type === 'turn-start' || type === 'turn-park' || type === 'turn-resume' || type === 'turn-end')
        inBackground(publishIfChanged(threadId))
      if (type === 'approval-request') {
        openApprovals.set(event.approvalId, threadId)
        inBackground(publishApproval(event.approvalId))
      }
      if (type === 'approval-answer') inBackground(publishApproval(event.approvalId))
      if (type === 'turn-end') inBackground(publishWithdrawn(threadId))
    },
    publishThread: (threadId) => publishThread(threadId, { evenIfSame: true }),
    publishApproval,
    addOpenApproval: (id, threadId) => void openApprovals.set(id, threadId),
    removeThread: (threadId) => void published.delete(threadId),
  }
}
