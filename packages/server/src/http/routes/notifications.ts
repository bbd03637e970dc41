import type { NotificationList, NotificationRow } from '@capstan/protocol'
import { NOTIFICATION_KINDS } from '@capstan/protocol'
import { z } from 'zod'
import { NOTHING, defineRoute } from '../route.ts'
import { milliseconds, threadId } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'

const notification = describes<NotificationRow>()(
  z.strictObject({
    id: z.string(),
    kind: z.enum(NOTIFICATION_KINDS),
    name: z.string(),
    at: milliseconds,
    threadId: threadId.optional(),
  }),
).meta({ id: 'Notification' })
const notificationList = describes<NotificationList>()(
  z.strictObject({ notifications: z.array(notification) }),
)

const listNotifications = defineRoute({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What happened while nobody looked and was not seen yet, newest first.',
  rights: 'user',
  answer: notificationList,
  handle: async ({ assistant, caller }) => ({
    notifications: [...(await assistant.notifications.list(caller.userId))],
  }),
})

const seeNotifications = defineRoute({
  method: 'POST',
  path: '/api/notifications/seen',
  summary: 'Takes notifications off the list. Unknown ids change nothing.',
  rights: 'user',
  body: z.strictObject({ ids: z.array(z.string().max(300)).max(200) }),
  example: { ids: [] },
  answer: NOTHING,
  handle: ({ assistant, caller, body }) => assistant.notifications.see(caller.userId, body.ids),
})

export const NOTIFICATION_ROUTES = [listNotifications, seeNotifications]
