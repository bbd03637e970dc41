import type { Store } from '@capstan/harness/stores'
import type { RunId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { startProcess } from '../../fixtures/child-process.fixture.ts'
import { iteration, notice, runEnd, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()
const PROGRAM = new URL('../fixtures/commit-until-moved.fixture.ts', import.meta.url)

/** Two nodes with one thread in which a turn runs. */
async function openTwo(): Promise<{ readonly a: Store; readonly b: Store }> {
  const a = await postgres.open({ nodeId: 'a' })
  const b = await postgres.open({ url: postgres.urlOf(a), nodeId: 'b' })
  await a.threads.create({ id: THREAD, userId: USER, at: 0 })
  await a.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  return { a, b }
}

const moved = expect.objectContaining({ name: 'StoreError', kind: 'moved' }) as unknown

it('a claim raises the epoch and names the owner', async () => {
  const { a, b } = await openTwo()
  expect(await a.ownership!.ownerOf(THREAD)).toBeUndefined()
  expect(await a.ownership!.claim(THREAD)).toBe(1)
  expect(await b.ownership!.ownerOf(THREAD)).toEqual({ nodeId: 'a', epoch: 1 })
  expect(await b.ownership!.claim(THREAD)).toBe(2)
  expect(await a.ownership!.ownerOf(THREAD)).toEqual({ nodeId: 'b', epoch: 2 })
  expect(await a.ownership!.claim('thread_unknown' as typeof THREAD)).toBeUndefined()
})

it('a node whose thread was claimed by another writes nothing, with or without rows', async () => {
  const { a, b } = await openTwo()
  await a.ownership!.claim(THREAD)
  await a.ledger.commit(THREAD, [notice(1)])
  await b.ownership!.claim(THREAD)
  const before = await b.ledger.read(THREAD)
  for (const records of [
    [notice(2)],
    [{ type: 'message-queue', at: 1, id: 'q', mode: 'steer', text: 'more' }] as const,
    [runEnd('It is over.')],
    [runStart('Another', { runId: 'run_2' as RunId })],
  ]) {
    await expect(a.ledger.commit(THREAD, records)).rejects.toEqual(moved)
  }
  expect(await b.ledger.read(THREAD)).toEqual(before)
  expect(await b.threads.withQueued()).toEqual([])
  await b.ledger.commit(THREAD, [notice(2)])
  expect(await b.audit.verify()).toMatchObject({ ok: true })
})

it('a node that lost its claim is refused also after the other has released the thread', async () => {
  const { a, b } = await openTwo()
  await a.ownership!.claim(THREAD)
  await b.ownership!.claim(THREAD)
  expect(await b.ownership!.release(THREAD)).toBe(true)
  await expect(a.ledger.commit(THREAD, [notice(1)])).rejects.toEqual(moved)
  expect(await a.ownership!.release(THREAD)).toBe(false)
  await a.ownership!.claim(THREAD)
  await a.ledger.commit(THREAD, [notice(1)])
})

it('a node without a claim writes to threads that nobody owns, and to no other', async () => {
  const { a, b } = await openTwo()
  await b.ledger.commit(THREAD, [notice(1)])
  await a.ledger.commit(THREAD, [notice(2)])
  await b.ledger.commit(THREAD, [runEnd('Behind the lighthouse.')])
  expect((await a.runs.list({ userId: USER }))[0]!.status).toBe('done')
  await a.ownership!.claim(THREAD)
  await expect(b.ledger.commit(THREAD, [notice(3)])).rejects.toEqual(moved)
  await a.ownership!.release(THREAD)
  await b.ledger.commit(THREAD, [notice(3)])
  expect(await a.ledger.lastSeq(THREAD)).toBe(3)
})

it('two nodes that write to a free thread at the same time never write the same number', async () => {
  const { a, b } = await openTwo()
  const results = await Promise.allSettled(
    [a, b].flatMap((store) => [1, 2, 3].map(async (seq) => store.ledger.commit(THREAD, [notice(seq)]))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect((await a.ledger.readEvents(THREAD, 0)).map(({ seq }) => seq)).toEqual([1, 2, 3])
})

it('a claim comes after the commits that were started before it', async () => {
  const { a, b } = await openTwo()
  await b.ownership!.claim(THREAD)
  const commits = [1, 2, 3].map(async (seq) => b.ledger.commit(THREAD, [notice(seq)]))
  await b.ownership!.claim(THREAD)
  await Promise.all(commits)
  expect(await a.ledger.lastSeq(THREAD)).toBe(3)
})

it('every commit that a killed node had reported is there, and another node goes on behind it', async () => {
  const { a } = await openTwo()
  for (const round of [1, 2]) {
    const child = await startProcess(PROGRAM, [postgres.urlOf(a), KEY, `killed ${round}`])
    const lines = await child.killAfter(30)
    const reported = lines.slice(1).map(Number)
    await a.ownership!.claim(THREAD)
    const stored = (await a.ledger.readEvents(THREAD, 0)).map(({ seq }) => seq)
    expect(stored.slice(0, reported.at(-1))).toEqual(
      Array.from({ length: reported.at(-1)! }, (_, n) => n + 1),
    )
    // At most the commit that was under way came after it.
    expect(stored.length - reported.at(-1)!).toBeLessThanOrEqual(1)
    await a.ledger.commit(THREAD, iteration(stored.length + 1, 'mine'))
  }
  expect(await a.audit.verify()).toMatchObject({ ok: true, problems: [] })
})

it('a frozen process that wakes up after its thread was claimed writes nothing', async () => {
  const { a } = await openTwo()
  const frozen = await startProcess(PROGRAM, [postgres.urlOf(a), KEY, 'frozen'])
  await frozen.waitForLines(20)
  frozen.signal('SIGSTOP')
  await a.ownership!.claim(THREAD)
  const first = (await a.ledger.lastSeq(THREAD)) + 1
  for (let seq = first; seq < first + 5; seq++) await a.ledger.commit(THREAD, iteration(seq, 'mine'))
  const before = await a.ledger.read(THREAD)
  frozen.signal('SIGCONT')
  const lines = await frozen.end()
  expect(lines.at(-1)).toBe('moved')
  expect(await a.ledger.read(THREAD)).toEqual(before)
  expect(await a.audit.verify()).toMatchObject({ ok: true })
})

it('a release that is late does not end a newer claim of the same store', async () => {
  const { a } = await openTwo()
  const before = (await a.ownership!.claim(THREAD))!
  const after = (await a.ownership!.claim(THREAD))!
  expect(await a.ownership!.release(THREAD, before)).toBe(false)
  expect(await a.ownership!.ownerOf(THREAD)).toEqual({ nodeId: 'a', epoch: after })
  expect(await a.ownership!.release(THREAD, after)).toBe(true)
})
