import type { Route } from '../route.ts'
import { ACCOUNT_ROUTES } from './account.ts'
import { APPROVAL_ROUTES } from './approvals.ts'
import { CONNECTION_ROUTES } from './connections.ts'
import { HOLD_ROUTES } from './hold.ts'
import { JOB_ROUTES } from './jobs.ts'
import { SCHEDULE_ROUTES } from './schedules.ts'
import { LOGIN_ROUTES } from './logins.ts'
import { MCP_SERVER_ROUTES } from './mcp-servers.ts'
import { MEMORY_FACT_ROUTES } from './memory-facts.ts'
import { MEMORY_ROUTES } from './memory.ts'
import { MEMBER_ROUTES } from './members.ts'
import { NOTIFICATION_ROUTES } from './notifications.ts'
import { RUN_ROUTES } from './runs.ts'
import { SECRET_ROUTES } from './secrets.ts'
import { SETTINGS_ROUTES } from './settings.ts'
import { SPENDING_ROUTES } from './spending.ts'
import { SYNC_ROUTES } from './sync.ts'
import { THREAD_EVENT_ROUTES } from './thread-events.ts'
import { THREAD_FILE_ROUTES } from './thread-files.ts'
import { THREAD_ROUTES } from './threads.ts'
import { TRIGGER_ROUTES } from './triggers.ts'

/** Every route of the API, in matching order. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...LOGIN_ROUTES,
  ...MEMBER_ROUTES,
  ...THREAD_ROUTES,
  ...THREAD_EVENT_ROUTES,
  ...THREAD_FILE_ROUTES,
  ...RUN_ROUTES,
  ...APPROVAL_ROUTES,
  ...CONNECTION_ROUTES,
  ...SYNC_ROUTES,
  ...MCP_SERVER_ROUTES,
  ...JOB_ROUTES,
  ...TRIGGER_ROUTES,
  ...SCHEDULE_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...MEMORY_ROUTES,
  ...MEMORY_FACT_ROUTES,
  ...HOLD_ROUTES,
  ...SECRET_ROUTES,
  ...SETTINGS_ROUTES,
  ...SPENDING_ROUTES,
]
