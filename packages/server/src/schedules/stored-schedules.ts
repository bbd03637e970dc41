import type { Store } from '@capstan/harness/stores'
import { createJobs } from '../jobs/jobs.ts'
import { readOutcome } from '../unattended/read-outcome.ts'
import type { Schedules } from './schedules.ts'
import { createSchedules } from './schedules.ts'

/** The schedules in a store, without a server. They run when one is started. */
export function openStoredSchedules(store: Store): Schedules {
  const now = (): number => Date.now()
  const runner = { register() {}, wake() {}, check() {} }
  return createSchedules({
    jobs: createJobs({ store: store.jobs, runner, publish() {}, now }),
    outcomeOf: (...asked) => readOutcome(store, ...asked),
    now,
  })
}
