import type { JobStore } from '@capstan/harness/stores'
import { createMemoryJobStore } from '@capstan/harness/stores'
import { createTestClock } from '@capstan/harness/testing'
import type { MisfireRule, RunId, ThreadId } from '@capstan/protocol'
import { createJobs } from '../jobs/jobs.ts'
import { LEASE_MS, runJob } from '../jobs/run-job.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { createScheduleHandler } from './schedule-handler.ts'
import type { Schedules } from './schedules.ts'
import { createSchedules } from './schedules.ts'

/** A time without a server. */
export interface Outage {
  readonly from: number
  readonly to: number
}

/** A turn that was started: when, and under which id. */
export interface Started {
  readonly at: number
  readonly messageId: string
}

/** A store of jobs, and a time that jumps from one due job to the next. The turns end at once, and are counted. */
export function createYear(
  startsAt: number,
  {
    isKilled = () => false,
    isKilledEarly = () => false,
  }: {
    /** After the turn was started. */
    readonly isKilled?: () => boolean
    /** Before that. */
    readonly isKilledEarly?: () => boolean
  } = {},
) {
  const store = createMemoryJobStore()
  let now = startsAt
  const started: Started[] = []
  const known = new Set<string>()
  let isDead = false
  const unattended: Unattended = {
    async run({ messageId }) {
      if (isKilledEarly()) {
        isDead = true
        throw new Error('killed')
      }
      if (!known.has(messageId)) started.push({ at: now, messageId })
      known.add(messageId)
      return { type: 'started', threadId: `thread of ${messageId}` as ThreadId }
    },
    find: async ({ messageId }) =>
      known.has(messageId) ? { threadId: `thread of ${messageId}` as ThreadId } : undefined,
    outcomeOf: async (_user, _thread, messageId) => ({
      type: 'ended',
      runId: messageId as RunId,
      text: 'Done.',
    }),
  }
  const jobs = createJobs({
    store,
    runner: { register() {}, wake() {}, check() {} },
    publish() {},
    now: () => now,
  })
  const schedules: Schedules = createSchedules({
    jobs,
    outcomeOf: (...asked) => unattended.outcomeOf(...asked),
    now: () => now,
  })
  const handler = createScheduleHandler(unattended, async () => {})

  async function runDue(): Promise<void> {
    const claims = await store.claimDue({
      kinds: ['schedule'],
      now,
      owner: 'node',
      leaseMs: LEASE_MS,
      limit: 10,
    })
    for (const claim of claims) {
      const clock = { ...createTestClock(), now: () => now }
      // A node that is killed does not store how it ended.
      const mortal: JobStore = { ...store, end: (...ended) => isDead || store.end(...ended) }
      isDead = isKilled()
      await runJob(claim, { store: mortal, clock, handler, onChange() {}, onProblem: fail }).ended
      isDead = false
    }
  }

  return {
    started,
    schedules,
    jumpTo: (at: number) => void (now = at),
    add: (when: string, zone: string, misfire: MisfireRule = 'once') =>
      schedules.add('ana', { prompt: 'Look around.', when, zone, misfire }),
    /** Runs everything until then, with times when nothing runs. */
    async runUntil(end: number, outages: readonly Outage[] = []): Promise<void> {
      for (;;) {
        const due = (await store.nextDueAt({ kinds: ['schedule'] })) ?? Infinity
        const at = Math.max(now, due)
        const outage = outages.find(({ from, to }) => at >= from && at < to)
        if ((outage?.to ?? at) > end) break
        now = outage?.to ?? at
        await runDue()
      }
      now = end
    },
  }
}

function fail(problem: unknown): never {
  throw problem
}
