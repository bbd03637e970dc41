import { describe, expect, it } from 'vitest'
import type { ClaimQuery, ClaimedJob, JobStore, NewJob } from '../../ports/job-store.ts'
import type { Store } from '../../ports/store.ts'
import { FAILURE } from './records.ts'

let made = 0
const job = (fields: Partial<NewJob> = {}): NewJob => ({
  id: `job_${++made}`,
  userId: 'ana',
  kind: 'sync',
  key: `key_${made}`,
  title: 'Sync Notes',
  body: { app: 'notes' },
  nextAt: 1_000,
  createdAt: 500,
  ...fields,
})

const LEASE_MS = 100
const claimAt = (jobs: JobStore, now: number, fields: Partial<ClaimQuery> = {}) =>
  jobs.claimDue({ now, owner: 'node_a', leaseMs: LEASE_MS, limit: 10, kinds: ['sync'], ...fields })
const idsOf = (claims: readonly ClaimedJob[]): string[] => claims.map(({ id }) => id)

async function claimOne(jobs: JobStore, now: number): Promise<ClaimedJob> {
  const [claim] = await claimAt(jobs, now)
  if (!claim) throw new Error('no job was due')
  return claim
}

/** What a store promises about jobs. */
export function testJobs(open: () => Promise<Store>, reopen?: (store: Store) => Promise<Store>): void {
  describe('jobs', () => {
    testRows(open)
    testClaims(open)
    testEnds(open)
    testChanges(open)

    it.runIf(reopen)('a reopened store has its jobs, and runs one again whose node was killed', async () => {
      const store = await open()
      const killed = job()
      await store.jobs.add(killed)
      await store.jobs.add(job({ nextAt: 9_000 }))
      const claim = await claimOne(store.jobs, 1_000)
      await store.jobs.save(claim, { cursor: 7 })
      const before = await store.jobs.list('ana')
      const { jobs } = await reopen!(store)
      expect(await jobs.list('ana')).toEqual(before)
      const [again] = await claimAt(jobs, 1_000 + LEASE_MS)
      expect(again?.job).toMatchObject({ id: killed.id, state: { cursor: 7 } })
      expect(await jobs.end(claim, { status: 'done', at: 1_200 })).toBe(false)
    })
  })
}

function testRows(open: () => Promise<Store>): void {
  it('returns a job as it was added, and adds it once', async () => {
    const { jobs } = await open()
    const given = job({ title: '\0 \uD800 – "x"', body: { list: [1, null, '\0'] }, nextAt: 1_000.5 })
    const row = { ...given, state: null, status: 'waiting', attempts: 0 }
    expect(await jobs.add(given)).toEqual({ job: row, added: true })
    expect(await jobs.add({ ...given, title: 'Another', nextAt: 1 })).toEqual({ job: row, added: false })
    expect(await jobs.get('ana', given.id)).toEqual(row)
    expect(await jobs.nextDueAt({ kinds: ['sync'] })).toBe(1_000.5)
  })

  it('keeps the jobs of users apart', async () => {
    const { jobs } = await open()
    const [hers, his] = [job({ id: 'same' }), job({ id: 'same', userId: 'ben', title: 'His' })]
    await jobs.add(hers)
    expect(await jobs.get('ben', 'same')).toBeUndefined()
    expect(await jobs.change('ben', 'same', { status: 'cancelled' })).toBeUndefined()
    expect(await jobs.remove('ben', 'same')).toBe(false)
    expect((await jobs.add(his)).added).toBe(true)
    expect(await jobs.removeAllOf('ben')).toBe(1)
    expect((await jobs.list('ana')).map(({ title }) => title)).toEqual([hers.title])
    expect(await jobs.list('ben')).toEqual([])
  })

  it('lists jobs newest first, by kind and status, in pages', async () => {
    const { jobs } = await open()
    const [old, b, a] = [
      job({ createdAt: 1 }),
      job({ createdAt: 2, id: 'b', kind: 'trigger' }),
      job({ createdAt: 2, id: 'a' }),
    ]
    for (const each of [old, b, a]) await jobs.add(each)
    await jobs.change('ana', 'b', { status: 'paused' })
    const first = await jobs.list('ana', { limit: 2 })
    expect(first.map(({ id }) => id)).toEqual(['a', 'b'])
    const [, cursor] = first
    expect((await jobs.list('ana', { cursor: cursor!, limit: 2 })).map(({ id }) => id)).toEqual([old.id])
    expect((await jobs.list('ana', { kind: 'trigger' })).map(({ id }) => id)).toEqual(['b'])
    expect((await jobs.list('ana', { status: 'waiting' })).map(({ id }) => id)).toEqual(['a', old.id])
  })

  it('removes a job, and a claim of it does not fit another one with its id', async () => {
    const { jobs } = await open()
    const given = job()
    await jobs.add(given)
    const claim = await claimOne(jobs, 1_000)
    expect(await jobs.remove('ana', given.id)).toBe(true)
    expect(await jobs.remove('ana', given.id)).toBe(false)
    await jobs.add(given)
    await claimOne(jobs, 1_001)
    expect(await jobs.end(claim, { status: 'done', at: 1_002 })).toBe(false)
    expect(await jobs.get('ana', given.id)).toMatchObject({ status: 'running' })
  })
}

function testClaims(open: () => Promise<Store>): void {
  it('claims jobs when they are due, the earliest first, each once', async () => {
    const { jobs } = await open()
    const [late, early, later] = [job({ nextAt: 1_002 }), job({ nextAt: 1_001 }), job({ nextAt: 2_000 })]
    for (const each of [late, early, later]) await jobs.add(each)
    expect(await claimAt(jobs, 1_000)).toEqual([])
    expect(idsOf(await claimAt(jobs, 1_050, { limit: 1 }))).toEqual([early.id])
    const [claim] = await claimAt(jobs, 1_051)
    const { nextAt: _due, ...row } = late
    expect(claim).toEqual({
      userId: 'ana',
      id: late.id,
      epoch: expect.any(Number) as number,
      interruptions: 0,
      job: { ...row, state: null, status: 'running', attempts: 0, lastStartedAt: 1_051 },
    })
    expect(await claimAt(jobs, 1_052)).toEqual([])
    expect(await jobs.nextDueAt({ kinds: ['sync'] })).toBe(1_050 + LEASE_MS)
  })

  it('leaves jobs of other kinds and of users who are held', async () => {
    const { jobs } = await open()
    await jobs.add(job({ kind: 'trigger' }))
    await jobs.add(job({ userId: 'ben', nextAt: 1_010 }))
    expect(await claimAt(jobs, 2_000, { exceptUsers: ['ben'] })).toEqual([])
    expect(await claimAt(jobs, 2_000, { kinds: [] })).toEqual([])
    expect(await jobs.nextDueAt({ kinds: ['sync'], exceptUsers: ['ben'] })).toBeUndefined()
    expect(await jobs.nextDueAt({ kinds: [] })).toBeUndefined()
    expect(await jobs.nextDueAt({ kinds: ['sync', 'trigger'] })).toBe(1_000)
    expect(await claimAt(jobs, 2_000)).toHaveLength(1)
  })

  it('runs one job at a time for each key of a user', async () => {
    const { jobs } = await open()
    const [second, first] = [job({ key: 'k', nextAt: 1_001 }), job({ key: 'k', nextAt: 1_000 })]
    const other = job({ key: 'k', userId: 'ben' })
    for (const each of [second, first, other]) await jobs.add(each)
    const claims = await claimAt(jobs, 2_000)
    expect(idsOf(claims).toSorted()).toEqual([first.id, other.id].toSorted())
    expect(await claimAt(jobs, 2_001)).toEqual([])
    const mine = claims.find(({ id }) => id === first.id)!
    await jobs.end(mine, { status: 'waiting', nextAt: 5_000, at: 2_002 })
    expect(idsOf(await claimAt(jobs, 2_003))).toEqual([second.id])
  })

  it('gives each job to one of several nodes that ask at the same time', async () => {
    const { jobs } = await open()
    for (let n = 0; n < 12; n++) await jobs.add(job({ key: `shared_${n % 6}` }))
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (owner) => claimAt(jobs, 1_000, { owner, limit: 3 })),
    )
    const keys = claims.flat().map((claim) => claim.job.key)
    expect(keys.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `shared_${n}`))
  })

  it('runs a job again when its lease has ended, and refuses the claim before', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const old = await claimOne(jobs, 1_000)
    expect(await jobs.renew(old, 1_500)).toBe(true)
    expect(await claimAt(jobs, 1_499)).toEqual([])
    const again = await claimOne(jobs, 1_500)
    expect(again.epoch).toBeGreaterThan(old.epoch)
    expect(again.interruptions).toBe(1)
    expect(await jobs.renew(old, 9_000)).toBe(false)
    expect(await jobs.save(old, 'stale')).toBe(false)
    expect(await jobs.end(old, { status: 'done', state: 'stale', at: 1_501 })).toBe(false)
    expect(await jobs.save(again, 'kept')).toBe(true)
    expect(await jobs.get('ana', again.id)).toMatchObject({ status: 'running', state: 'kept' })
    expect((await claimOne(jobs, 2_000)).interruptions).toBe(1)
  })
}

function testEnds(open: () => Promise<Store>): void {
  it('ends a run once, with its state and the time of the next one', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const claim = await claimOne(jobs, 1_000)
    await jobs.save(claim, { cursor: 1 })
    expect(await jobs.end(claim, { status: 'waiting', nextAt: 3_000, at: 1_010 })).toBe(true)
    expect(await jobs.end(claim, { status: 'done', at: 1_011 })).toBe(false)
    expect(await jobs.get('ana', claim.id)).toMatchObject({
      status: 'waiting',
      state: { cursor: 1 },
      nextAt: 3_000,
      lastStartedAt: 1_000,
      lastEndedAt: 1_010,
    })
    const next = await claimOne(jobs, 3_000)
    await jobs.end(next, { status: 'done', state: 'all', at: 3_001 })
    const done = await jobs.get('ana', claim.id)
    expect(done).toMatchObject({ status: 'done', state: 'all' })
    expect(done).not.toHaveProperty('nextAt')
    expect(await jobs.nextDueAt({ kinds: ['sync'] })).toBeUndefined()
  })

  it('counts failed attempts in a row, and forgets them after a good one', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const failure = FAILURE
    await jobs.end(await claimOne(jobs, 1_000), { status: 'waiting', nextAt: 2_000, failure, at: 1_001 })
    const { id } = await claimOne(jobs, 2_000).then(async (claim) => {
      await jobs.end(claim, { status: 'failed', failure, at: 2_001 })
      return claim
    })
    expect(await jobs.get('ana', id)).toMatchObject({ status: 'failed', attempts: 2, lastFailure: failure })
    expect(await claimAt(jobs, 9_000)).toEqual([])
    expect(await jobs.change('ana', id, { status: 'waiting', nextAt: 9_000 })).toMatchObject({ attempts: 0 })
    await jobs.end(await claimOne(jobs, 9_000), { status: 'waiting', nextAt: 9_500, at: 9_001 })
    expect(await jobs.get('ana', id)).not.toHaveProperty('lastFailure')
  })
}

function testChanges(open: () => Promise<Store>): void {
  it('a pause counts more than the end of a run, which is kept for later', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const claim = await claimOne(jobs, 1_000)
    expect(await jobs.change('ana', claim.id, { status: 'paused' })).toMatchObject({ status: 'paused' })
    expect(await jobs.renew(claim, 5_000)).toBe(false)
    expect(await jobs.save(claim, 'half')).toBe(true)
    expect(await jobs.end(claim, { status: 'waiting', nextAt: 3_000, at: 1_010 })).toBe(true)
    expect(await jobs.get('ana', claim.id)).toMatchObject({ status: 'paused', state: 'half', nextAt: 3_000 })
    expect(await claimAt(jobs, 9_000)).toEqual([])
    expect(await jobs.change('ana', claim.id, { status: 'waiting' })).toMatchObject({ nextAt: 3_000 })
    expect(idsOf(await claimAt(jobs, 9_000))).toEqual([claim.id])
  })

  it('a job that did all there was to do is done, also when it was paused meanwhile', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const claim = await claimOne(jobs, 1_000)
    await jobs.change('ana', claim.id, { status: 'paused' })
    expect(await jobs.end(claim, { status: 'done', at: 1_010 })).toBe(true)
    expect(await jobs.get('ana', claim.id)).toMatchObject({ status: 'done' })
  })

  it('a job that is cancelled while it runs stays cancelled, with the state it had', async () => {
    const { jobs } = await open()
    await jobs.add(job({ key: 'k' }))
    await jobs.add(job({ key: 'k', nextAt: 1_001 }))
    const claim = await claimOne(jobs, 1_000)
    await jobs.change('ana', claim.id, { status: 'cancelled' })
    expect(await jobs.save(claim, 'late')).toBe(false)
    // Its run may still be at work.
    expect(await claimAt(jobs, 1_002)).toEqual([])
    expect(await jobs.end(claim, { status: 'waiting', state: 'late', at: 1_010 })).toBe(false)
    expect(await jobs.get('ana', claim.id)).toMatchObject({ status: 'cancelled', state: null })
    expect(await claimAt(jobs, 1_011)).toHaveLength(1)
  })

  it('a job that is resumed while its old run is ending waits for that run', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const claim = await claimOne(jobs, 1_000)
    await jobs.change('ana', claim.id, { status: 'paused' })
    await jobs.change('ana', claim.id, { status: 'waiting', nextAt: 1_010 })
    expect(await claimAt(jobs, 1_020)).toEqual([])
    expect(await jobs.nextDueAt({ kinds: ['sync'] })).toBe(1_000 + LEASE_MS)
    expect(await jobs.end(claim, { status: 'waiting', nextAt: 8_000, at: 1_021 })).toBe(true)
    expect(idsOf(await claimAt(jobs, 1_022))).toEqual([claim.id])
  })

  it('a change while a job runs counts more than the time its run says', async () => {
    const { jobs } = await open()
    await jobs.add(job())
    const claim = await claimOne(jobs, 1_000)
    const changed = await jobs.change('ana', claim.id, { status: 'waiting', title: 'New', nextAt: 1_500 })
    expect(changed).toMatchObject({ status: 'running', title: 'New' })
    await jobs.end(claim, { status: 'waiting', nextAt: 8_000, at: 1_010 })
    expect(await jobs.get('ana', claim.id)).toMatchObject({ status: 'waiting', title: 'New', nextAt: 1_500 })
  })

  it('changes a job only from the states that are named', async () => {
    const { jobs } = await open()
    const { id } = (await jobs.add(job())).job
    expect(await jobs.change('ana', id, { status: 'waiting' }, ['paused', 'failed'])).toBeUndefined()
    expect(await jobs.change('ana', id, { body: [1] }, ['waiting'])).toMatchObject({ body: [1] })
    expect(await jobs.change('ana', 'unknown', { status: 'paused' })).toBeUndefined()
  })
}
