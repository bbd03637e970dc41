import type { Jobs } from '../jobs/jobs.ts'
import type { Tell } from '../notifications/notifications.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { createScheduleHandler } from './schedule-handler.ts'
import type { Schedules } from './schedules.ts'
import { createSchedules } from './schedules.ts'

/** The schedules of an installation. They run from now on. */
export function openSchedules(jobs: Jobs, unattended: Unattended, now: () => number, tell: Tell): Schedules {
  jobs.register(createScheduleHandler(unattended, tell))
  return createSchedules({ jobs, now, outcomeOf: (...asked) => unattended.outcomeOf(...asked) })
}
