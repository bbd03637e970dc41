import type { ApprovalRow, ConnectionStatus, NotificationRow, ToolkitView } from '@capstan/protocol'

/** Something that goes on only when the person acts, or that they are told once. */
export interface WaitingItem {
  readonly id: string
  readonly kind: 'approval' | 'account' | 'scheduleFailed' | 'triggerEscalated'
  /** The action, the app, the schedule or what came in. Text of others. */
  readonly name: string
  /** The page where the person can act. */
  readonly path: string
  /** The notification that opening this takes off the list. Absent: it waits until the person acts. */
  readonly notificationId?: string
}

const KINDS = { 'schedule-failed': 'scheduleFailed', 'trigger-escalated': 'triggerEscalated' } as const
const PAGES = { 'schedule-failed': '/automations/schedules', 'trigger-escalated': '/automations' } as const

const BROKEN: ReadonlySet<ConnectionStatus> = new Set(['expired', 'revoked'])

/**
 * What waits for the person: approvals, oldest first, then accounts that must be connected again, then what they are told.
 * A trigger whose turn asks for an approval is one thing, not two.
 */
export function findWaiting(
  approvals: readonly ApprovalRow[],
  toolkits: readonly ToolkitView[],
  notifications: readonly NotificationRow[] = [],
): readonly WaitingItem[] {
  const asked = approvals
    .filter(({ decision }) => decision === undefined)
    .map(({ id, threadId, label }) => {
      const told = notifications.find((one) => one.threadId === threadId)
      return {
        id: `approval ${id}`,
        kind: 'approval' as const,
        name: label,
        path: toThread(threadId),
        ...(told && { notificationId: told.id }),
      }
    })
  const asking = new Set(asked.map(({ path }) => path))
  const broken = toolkits.flatMap(({ name, connections }) =>
    connections
      .filter(({ status }) => BROKEN.has(status))
      .map(({ id, updatedAt }) => ({
        // An account that expires a second time is told again.
        id: `account ${id} ${updatedAt}`,
        kind: 'account' as const,
        name,
        path: '/connections',
      })),
  )
  const told = notifications
    .map(({ id, kind, name, threadId }) => ({
      id: `told ${id}`,
      kind: KINDS[kind],
      name,
      path: threadId === undefined ? PAGES[kind] : toThread(threadId),
      notificationId: id,
    }))
    .filter(({ path }) => !asking.has(path))
  return [...asked, ...broken, ...told]
}

const toThread = (threadId: string): string => `/t/${encodeURIComponent(threadId)}`
