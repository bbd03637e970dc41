import type { NotificationList } from '@capstan/protocol'
import type { Sender } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** What people are told that nobody watched. */
export interface NotificationsApi {
  /** What was not seen yet, newest first. */
  notifications(options?: Options): Promise<NotificationList>
  /** Takes them off the list. */
  seeNotifications(ids: readonly string[], options?: Options): Promise<void>
}

export function notificationsApi({ json, nothing }: Sender): NotificationsApi {
  return {
    notifications: (given) => json('GET', '/api/notifications', given),
    seeNotifications: (ids, given) => nothing('POST', '/api/notifications/seen', { ...given, body: { ids } }),
  }
}
