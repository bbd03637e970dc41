import type { JobsApi } from './jobs-api.ts'
import { jobsApi } from './jobs-api.ts'
import type { MemoryApi } from './memory-api.ts'
import { memoryApi } from './memory-api.ts'
import type { NotificationsApi } from './notifications-api.ts'
import { notificationsApi } from './notifications-api.ts'
import type { SchedulesApi } from './schedules-api.ts'
import { schedulesApi } from './schedules-api.ts'
import type { Sender } from './sender.ts'
import type { SyncApi } from './sync-api.ts'
import { syncApi } from './sync-api.ts'
import type { TriggersApi } from './triggers-api.ts'
import { triggersApi } from './triggers-api.ts'

/** Work without a person, and what it remembers. */
export interface WorkApi extends JobsApi, MemoryApi, NotificationsApi, SchedulesApi, SyncApi, TriggersApi {}

export const workApi = (sender: Sender): WorkApi => ({
  ...jobsApi(sender),
  ...memoryApi(sender),
  ...notificationsApi(sender),
  ...schedulesApi(sender),
  ...syncApi(sender),
  ...triggersApi(sender),
})
