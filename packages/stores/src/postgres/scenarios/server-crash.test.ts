import { createThreads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { ALLOW_ALL, calls, checkInvariants, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { Step } from '@capstan/harness/testing'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import { approvalRequest, notice, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'

// The log is flushed by nobody but those who wait for it.
const postgres = usePostgres(['fsync=on', 'wal_writer_delay=10s'])
const lost = { name: 'StoreError', kind: 'lost' }

/** A thread with two events on the disk. */
async function openFilled(): Promise<Store> {
  const store = await postgres.open()
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?'), notice(1)])
  await store.ledger.commit(THREAD, [notice(2)])
  await store.ledger.sync(THREAD)
  return store
}

it('a commit that follows one that a crash of the server lost is refused, and the next writer goes on', async () => {
  const store = await openFilled()
  await store.ledger.commit(THREAD, [notice(3)])
  await postgres.crash()
  expect(await store.ledger.lastSeq(THREAD)).toBe(2)
  await expect(store.ledger.commit(THREAD, [notice(4)])).rejects.toMatchObject(lost)
  await store.ledger.commit(THREAD, [notice(3, 'something else')])
  await store.ledger.sync(THREAD)
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
})

it('a commit without events is refused as well when a crash of the server lost the one before it', async () => {
  const store = await openFilled()
  await store.ledger.commit(THREAD, [notice(3)])
  await postgres.crash()
  await expect(store.ledger.commit(THREAD, [approvalRequest('approval_1')])).rejects.toMatchObject(lost)
  expect(await store.approvals.get('approval_1')).toBeUndefined()
})

it('a sync fails for the thread whose commits a crash of the server lost, and for no other', async () => {
  const store = await openFilled()
  const other = 'thread_2' as ThreadId
  await store.threads.create({ id: other, userId: USER, at: 0 })
  await store.ledger.sync()
  await store.ledger.commit(THREAD, [notice(3)])
  await postgres.crash()
  await store.ledger.sync(other)
  await expect(store.ledger.sync(THREAD)).rejects.toMatchObject(lost)
  await store.ledger.commit(THREAD, [notice(3)])
  await store.ledger.sync(THREAD)
})

it('what a person was told survives a crash of the server', async () => {
  const store = await openFilled()
  const threads = createThreads({ store, userId: USER, agent: { model: new ScriptedModel(), origin: 'web' } })
  await store.ledger.commit(THREAD, [approvalRequest('approval_1')])
  await store.ledger.sync(THREAD)
  expect(await store.approvals.answer('approval_1', 'allow-once', 1)).toBe('accepted')
  await postgres.crash()
  expect((await store.approvals.get('approval_1'))?.decision).toBe('allow-once')

  await threads.rename(THREAD, 'Boats')
  const { id } = await threads.create({ title: 'Charts' })
  await postgres.crash()
  expect((await threads.list()).map(({ title }) => title).toSorted()).toEqual(['Boats', 'Charts'])

  await threads.delete(id)
  await postgres.crash()
  expect(await threads.get(id)).toBeUndefined()
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
})

it('whoever reads events sees none that a crash of the server can lose', async () => {
  const store = await openFilled()
  const reader = await postgres.open({ url: postgres.urlOf(store) })
  await store.ledger.commit(THREAD, [notice(3)])
  expect((await reader.ledger.readEvents(THREAD, 2)).map(({ seq }) => seq)).toEqual([3])
  await postgres.crash()
  expect(await reader.ledger.lastSeq(THREAD)).toBe(3)
})

it('the audit log of chains that lost their ends verifies, and still names a removed row', async () => {
  const store = await openFilled()
  const record = async (n: number) => store.audit.record({ at: n, userId: USER, action: 'hold' })
  for (const seq of [3, 4, 5]) await store.ledger.commit(THREAD, [notice(seq)])
  await postgres.crash()
  await Promise.all([1, 2, 3].map(record))
  await expect(store.ledger.commit(THREAD, [notice(6)])).rejects.toMatchObject(lost)
  for (const seq of [3, 4, 5]) await store.ledger.commit(THREAD, [notice(seq)])
  await store.ledger.sync(THREAD)
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
  const first = '(SELECT id FROM journal ORDER BY id LIMIT 1)'
  await postgres.run(postgres.urlOf(store), `DELETE FROM journal WHERE id = ${first}`)
  expect(await store.audit.verify()).toMatchObject({ ok: false })
})

it('a turn goes on through crashes of the server: no event is seen twice, and nothing is sent twice', async () => {
  const store = await postgres.open({ reconnectMs: 30_000 })
  const crashAt = new Set([2, 4, 6])
  let crashing = Promise.resolve()
  const sent: unknown[] = []
  const seen: TurnEvent[] = []
  const step: Step = ({ messages }) => {
    const n = messages.filter(({ role }) => role === 'tool').length
    return n === 8 ? says('Done.') : calls(n % 3 === 1 ? 'send' : 'look', { n })
  }
  /** The server crashes while the turn goes on. */
  const crash = (n: number): void => {
    if (crashAt.delete(n)) crashing = crashing.then(() => postgres.crash())
  }
  const look = stubTool('look', ({ n }: { n: number }) => (crash(n), `Page ${n}.`))
  const send = stubTool('send', ({ n }: { n: number }) => (crash(n), sent.push(n), `Sent ${n}.`), {
    effect: 'write',
  })
  const threads = createThreads({
    store,
    userId: USER,
    agent: {
      model: new ScriptedModel(...Array.from({ length: 100 }, () => step)),
      origin: 'web',
      tools: [look, send],
      safety: ALLOW_ALL,
    },
    onEvent: (event) => void seen.push(event),
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  await session.submit('Look and send.')
  await vi.waitUntil(async () => (await store.runs.unfinished()).length === 0, {
    timeout: 40_000,
    interval: 100,
  })
  await crashing
  await threads.idle()
  expect(crashAt.size).toBe(0)
  expect(sent.length).toBeGreaterThan(0)
  expect(new Set(sent).size).toBe(sent.length)
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1))
  expect(seen.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done' } })
  expect(await store.ledger.readEvents(THREAD, 0)).toEqual(seen)
  expect(await checkInvariants(store, [THREAD])).toEqual([])
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
}, 60_000)
