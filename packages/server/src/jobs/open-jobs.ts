import { randomUUID } from 'node:crypto'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type { Update } from '../sessions/assistant.ts'
import { gatherNotices } from '../sessions/gather-notices.ts'
import type { Holds } from '../sessions/holds.ts'
import type { UpdateListeners } from '../sessions/update-listeners.ts'
import { createJobRunner } from './create-job-runner.ts'
import { createJobs } from './jobs.ts'
import type { Jobs } from './jobs.ts'

const GRACE_MS = 5_000

/** The jobs of an installation, and what runs them. */
export interface OpenJobs {
  readonly jobs: Jobs
  /** Not called on a node that only serves pages. */
  start(): void
  stop(graceMs?: number): Promise<void>
}

export function openJobs(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly holds: Holds
  readonly updates: UpdateListeners
  /** Tells the pages of all nodes. */
  readonly publish: (update: Update) => void
  readonly onProblem: (problem: unknown) => void
}): OpenJobs {
  const { store, clock, holds, updates, publish, onProblem } = parts
  const note = gatherNotices(clock, (userId) => publish({ userId, type: 'jobs-change' }))
  const runner = createJobRunner({
    store: store.jobs,
    clock,
    owner: randomUUID(),
    held: () => holds.held(),
    onChange: note,
    onProblem,
  })
  // Also those of other nodes. A hold or its release is a change of settings.
  const unsubscribe = updates.subscribe(({ type }) => {
    if (type === 'jobs-change' || type === 'settings-change' || type === 'updates-missed') runner.wake()
  })
  return {
    jobs: createJobs({ store: store.jobs, runner, publish: note, now: () => clock.now() }),
    start: () => runner.start(),
    async stop(graceMs = GRACE_MS) {
      unsubscribe()
      await runner.stop({ graceMs })
    },
  }
}
