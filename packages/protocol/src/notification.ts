import type { ThreadId } from './ids.ts'

/** What a person is told that nobody watched. What waits for an answer is listed elsewhere. */
export const NOTIFICATION_KINDS = ['schedule-failed', 'trigger-escalated'] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** One thing that a person is told until they have seen it. */
export interface NotificationRow {
  readonly id: string
  readonly kind: NotificationKind
  /** The schedule, or what came in. It may be text of others. */
  readonly name: string
  readonly at: number
  /** The thread of its turn, once there is one. */
  readonly threadId?: ThreadId
}

/** What was not seen yet, newest first. */
export interface NotificationList {
  readonly notifications: readonly NotificationRow[]
}
