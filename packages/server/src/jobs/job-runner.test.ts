import type { Clock } from '@capstan/harness/seams'
import { createMemoryJobStore } from '@capstan/harness/stores'
import type { JobRow, JobStore, NewJob } from '@capstan/harness/stores'
import { createTestClock } from '@capstan/harness/testing'
import type { TestClock } from '@capstan/harness/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createJobRunner } from './create-job-runner.ts'
import type { JobRunner, JobRunnerOptions } from './create-job-runner.ts'
import type { JobHandler, JobResult, JobRun } from './job-handler.ts'
import { createJobs } from './jobs.ts'
import { toRetryDelay } from './retry-delay.ts'

const started: JobRunner[] = []
afterEach(async () => {
  for (const runner of started.splice(0)) await runner.stop({ graceMs: 0 })
})

interface Parts {
  readonly store: JobStore
  readonly clock: TestClock
  readonly runner: JobRunner
  readonly problems: unknown[]
}

function start(fields: Partial<JobRunnerOptions> & { readonly clock?: TestClock } = {}): Parts {
  const { clock = createTestClock(), store = createMemoryJobStore() } = fields
  const problems: unknown[] = []
  const runner = createJobRunner({
    owner: 'node_a',
    held: () => [],
    onChange: () => {},
    onProblem: (problem) => problems.push(problem),
    ...fields,
    store,
    clock,
  })
  runner.start()
  started.push(runner)
  return { store, clock, runner, problems }
}

let made = 0
const job = (clock: Clock, fields: Partial<NewJob> = {}): NewJob => ({
  id: `job_${++made}`,
  userId: 'ana',
  kind: 'sync',
  key: `key_${made}`,
  title: 'Sync Notes',
  body: null,
  nextAt: clock.now(),
  createdAt: clock.now(),
  ...fields,
})

const handle = (run: JobHandler['run'], more: Partial<JobHandler> = {}): JobHandler => ({
  kind: 'sync',
  run,
  ...more,
})

/** A handler whose runs end when the test says so. */
function createSlowHandler(): JobHandler & {
  readonly runs: { readonly job: JobRow; readonly run: JobRun; end(result: JobResult): void }[]
} {
  const runs: { readonly job: JobRow; readonly run: JobRun; end(result: JobResult): void }[] = []
  return {
    kind: 'sync',
    runs,
    run: (given, run) =>
      new Promise((resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(new Error('aborted')))
        runs.push({ job: given, run, end: resolve })
      }),
  }
}

describe('the runner of jobs', () => {
  it('runs a job when it is due, with its state, and again when it says so', async () => {
    const { store, clock, runner } = start()
    const seen: unknown[] = []
    runner.register(
      handle(async ({ state }, { now }) => {
        seen.push([state, now() - begun])
        return seen.length < 3 ? { next: now() + 60_000, state: seen.length } : { done: true }
      }),
    )
    const begun = clock.now()
    const { id } = job(clock)
    await store.add(job(clock, { id, nextAt: begun + 5_000 }))
    await clock.advance(200_000)
    expect(seen).toEqual([
      [null, 5_000],
      [1, 65_000],
      [2, 125_000],
    ])
    expect(await store.get('ana', id)).toMatchObject({ status: 'done', state: 2 })
  })

  it('leaves a job without a handler waiting until there is one', async () => {
    const { store, clock, runner } = start()
    const given = job(clock, { kind: 'later' })
    await store.add(given)
    await clock.advance(10_000)
    expect(await store.get('ana', given.id)).toMatchObject({ status: 'waiting', attempts: 0 })
    const run = vi.fn(async () => ({ done: true as const }))
    runner.register({ kind: 'later', run })
    await clock.advance(0)
    expect(run).toHaveBeenCalledOnce()
  })

  it('tries a failed run again later each time, and gives up after the attempts of the handler', async () => {
    const { store, clock, runner } = start()
    const times: number[] = []
    runner.register(
      handle(
        async () => {
          times.push(clock.now())
          throw new Error('connect ECONNREFUSED 127.0.0.1:9')
        },
        { maxAttempts: 4 },
      ),
    )
    const given = job(clock)
    await store.add(given)
    await clock.advance(600_000)
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    expect(pauses).toHaveLength(3)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(5_000 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(10_000 * 2 ** index)
    }
    expect(await store.get('ana', given.id)).toMatchObject({
      status: 'failed',
      attempts: 4,
      lastFailure: { cause: expect.any(String) as string, next: expect.any(String) as string },
    })
  })

  it('runs no more jobs at once than it may, and one at a time for each key', async () => {
    const { store, clock, runner } = start({ maxAtOnce: 2 })
    const handler = createSlowHandler()
    runner.register(handler)
    for (const key of ['a', 'a', 'b', 'c']) await store.add(job(clock, { key }))
    await clock.advance(10_000)
    expect(handler.runs.map((run) => run.job.key)).toEqual(['a', 'b'])
    handler.runs[1]!.end({ done: true })
    await clock.advance(0)
    expect(handler.runs.map((run) => run.job.key)).toEqual(['a', 'b', 'c'])
  })

  it('leaves places to others when the jobs of one kind are slow', async () => {
    const { store, clock, runner } = start()
    const slow = createSlowHandler()
    const quick = createSlowHandler()
    runner.register(slow)
    runner.register({ ...quick, kind: 'schedule' })
    for (let n = 0; n < 10; n++) await store.add(job(clock))
    await clock.advance(10_000)
    expect(slow.runs).toHaveLength(6)
    await store.add(job(clock, { kind: 'schedule' }))
    await clock.advance(10_000)
    expect(quick.runs).toHaveLength(1)
    slow.runs[0]!.end({ done: true })
    await clock.advance(0)
    expect(slow.runs).toHaveLength(7)
  })

  it('takes no place from others for jobs that mostly wait', async () => {
    const { store, clock, runner } = start({ maxAtOnce: 1 })
    const handler = createSlowHandler()
    const waiting = createSlowHandler()
    runner.register(handler)
    runner.register({ ...waiting, kind: 'watch', waitsMostly: true })
    for (let n = 0; n < 3; n++) await store.add(job(clock, { kind: 'watch' }))
    await store.add(job(clock))
    await clock.advance(10_000)
    expect([waiting.runs.length, handler.runs.length]).toEqual([3, 1])
  })

  it('holds a long run by renewing its lease, so that no other node runs it', async () => {
    const { store, clock, runner } = start()
    const handler = createSlowHandler()
    runner.register(handler)
    start({ store, clock, owner: 'node_b' }).runner.register(handler)
    await store.add(job(clock))
    await clock.advance(300_000)
    expect(handler.runs).toHaveLength(1)
  })

  it('runs a job of a killed node again from its saved state', async () => {
    const { store, clock, runner } = start()
    const given = job(clock)
    await store.add(given)
    const [claim] = await store.claimDue({
      now: clock.now(),
      owner: 'killed',
      leaseMs: 20_000,
      limit: 1,
      kinds: ['sync'],
    })
    await store.save(claim!, 'half')
    const states: unknown[] = []
    runner.register(handle(async ({ state }) => (states.push(state), { done: true })))
    await clock.advance(19_000)
    expect(states).toEqual([])
    await clock.advance(5_000)
    expect(states).toEqual(['half'])
  })

  it('gives up a job that nodes were killed by again and again', async () => {
    const { store, clock, runner } = start()
    const given = job(clock)
    await store.add(given)
    for (let n = 0; n <= 20; n++)
      await store.claimDue({
        now: clock.now() + n,
        owner: 'killed',
        leaseMs: 1,
        limit: 1,
        kinds: ['sync'],
      })
    const run = vi.fn(async () => ({ done: true as const }))
    runner.register(handle(run))
    await clock.advance(10_000)
    expect(run).not.toHaveBeenCalled()
    expect(await store.get('ana', given.id)).toMatchObject({
      status: 'failed',
      lastFailure: { detail: { kind: 'gave-up' } },
    })
  })

  it('aborts a run that a person pauses, and goes on with it later', async () => {
    const { store, clock, runner } = start()
    const handler = createSlowHandler()
    runner.register(handler)
    const jobs = createJobs({ store, runner, publish: () => {}, now: () => clock.now() })
    const { id } = (await jobs.add(job(clock))).job
    await clock.advance(0)
    await handler.runs[0]!.run.save('half')
    expect(await jobs.pause('ana', id)).toMatchObject({ changed: true, job: { status: 'paused' } })
    await clock.advance(60_000)
    expect(handler.runs[0]!.run.signal.aborted).toBe(true)
    expect(handler.runs).toHaveLength(1)
    expect(await jobs.pause('ana', id)).toMatchObject({ changed: false, job: { status: 'paused' } })
    await jobs.resume('ana', id)
    await clock.advance(0)
    expect(handler.runs[1]!.job.state).toBe('half')
    await jobs.cancel('ana', id)
    await clock.advance(60_000)
    expect(handler.runs).toHaveLength(2)
    expect(await store.get('ana', id)).toMatchObject({ status: 'cancelled', state: 'half' })
    expect(await jobs.runNow('ana', id)).toMatchObject({ changed: false })
    expect(await jobs.runNow('ben', id)).toBeUndefined()
  })

  it('starts no job of a user who stopped everything, and ends those that run', async () => {
    let held: 'everybody' | string[] = []
    const { store, clock, runner } = start({ held: () => held })
    const handler = createSlowHandler()
    runner.register(handler)
    await store.add(job(clock))
    await clock.advance(0)
    expect(handler.runs).toHaveLength(1)
    held = ['ana']
    await store.add(job(clock, { userId: 'ben' }))
    await store.add(job(clock))
    runner.wake()
    await clock.advance(60_000)
    expect(handler.runs.map((run) => run.job.userId)).toEqual(['ana', 'ben'])
    expect(handler.runs[0]!.run.signal.aborted).toBe(true)
    held = []
    runner.wake()
    await clock.advance(0)
    expect(handler.runs.map((run) => run.job.userId)).toEqual(['ana', 'ben', 'ana', 'ana'])
  })

  it('goes on after a store that fails for a while', async () => {
    const inner = createMemoryJobStore()
    let isAway = true
    const store: JobStore = {
      ...inner,
      claimDue: (query) => {
        if (isAway) throw new Error('away')
        return inner.claimDue(query)
      },
    }
    const { clock, runner, problems } = start({ store })
    const run = vi.fn(async () => ({ done: true as const }))
    runner.register(handle(run))
    await store.add(job(clock))
    await clock.advance(10_000)
    expect(problems.length).toBeGreaterThan(0)
    isAway = false
    await clock.advance(3_000)
    expect(run).toHaveBeenCalledOnce()
  })

  it('ends its runs when it stops, and the jobs are due at the next start', async () => {
    const { store, clock, runner } = start()
    const handler = createSlowHandler()
    runner.register(handler)
    const given = job(clock)
    await store.add(given)
    await clock.advance(0)
    await runner.stop({ graceMs: 1_000 })
    expect(handler.runs[0]!.run.signal.aborted).toBe(true)
    expect(await store.get('ana', given.id)).toMatchObject({ status: 'waiting', attempts: 0 })
    await store.add(job(clock))
    await clock.advance(60_000)
    expect(handler.runs).toHaveLength(1)
  })

  it('aborts a run that takes longer than its handler allows, as a failed attempt', async () => {
    const { store, clock, runner } = start()
    runner.register({ ...createSlowHandler(), timeoutMs: 30_000 })
    const given = job(clock)
    await store.add(given)
    await clock.advance(31_000)
    expect(await store.get('ana', given.id)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      lastFailure: { class: 'timeout' },
    })
  })
})

it('a pause between attempts doubles up to an hour, and is never shorter than a service asks for', () => {
  expect([1, 2, 3, 20].map((attempts) => toRetryDelay(attempts, 0, () => 0))).toEqual([
    10_000, 20_000, 40_000, 3_600_000,
  ])
  expect(toRetryDelay(1, 0, () => 1)).toBe(5_000)
  expect(toRetryDelay(1, 90_000, () => 0)).toBe(90_000)
})
