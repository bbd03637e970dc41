import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { approvalRequest, notice, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { startCuttingProxy } from '../fixtures/cutting-proxy.fixture.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()
const seqsOf = async (store: Store, threadId = THREAD): Promise<number[]> =>
  (await store.ledger.readEvents(threadId, 0)).map(({ seq }) => seq)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** A store whose connections go through a proxy, with a thread in which a turn runs. */
async function openThroughProxy() {
  const proxy = await startCuttingProxy(await postgres.createUrl())
  const store = await postgres.open({ url: proxy.url })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  return { proxy, store }
}

it.each([
  ['the answer to a commit is lost', 'cutOnAnswer', 'SELECT 1\0'],
  ['a commit does not reach the database', 'cutOnRequest', 'something'],
] as const)('a commit is written exactly once when %s', async (_, cut, text) => {
  const { proxy, store } = await openThroughProxy()
  await store.ledger.commit(THREAD, [notice(1)])
  proxy[cut](text)
  await store.ledger.commit(THREAD, [notice(2)])
  await store.ledger.commit(THREAD, [notice(3)])
  expect(proxy.cuts()).toBe(1)
  expect(await seqsOf(store)).toEqual([1, 2, 3])
  expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
})

it.each(['cutOnAnswer', 'cutOnRequest'] as const)(
  'an answer to an approval counts once when the connection is lost at its end (%s)',
  async (cut) => {
    const { proxy, store } = await openThroughProxy()
    await store.ledger.commit(THREAD, [approvalRequest('approval_1')])
    proxy[cut]('COMMIT')
    expect(await store.approvals.answer('approval_1', 'allow-once', 10)).toBe('accepted')
    expect(proxy.cuts()).toBe(1)
    expect(await store.approvals.answer('approval_1', 'deny', 11)).toBe('already-answered')
    const answers = (await store.audit.read()).filter(({ action }) => action === 'approval-answer')
    expect(answers).toHaveLength(1)
    expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
  },
)

it('commits of many threads survive that the database ends their connections all the time', async () => {
  const store = await postgres.open()
  const threads = upTo(6).map((n) => `thread_${n}` as ThreadId)
  for (const id of threads) await store.threads.create({ id, userId: USER, at: 0 })
  const commits = new AbortController()
  let ended = 0
  const killer = (async () => {
    while (!commits.signal.aborted) {
      const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'capstan' AND random() < 0.5`
      ended += (await postgres.run(postgres.urlOf(store), sql)).length
    }
  })()
  await Promise.all(
    threads.map(async (id) => {
      for (let seq = 1; seq <= 40; seq++) {
        const record = notice(seq)
        await store.ledger.commit(id, [
          { ...record, event: { ...('event' in record ? record.event : {}), threadId: id } } as typeof record,
        ])
      }
    }),
  )
  commits.abort()
  await killer
  expect(ended).toBeGreaterThan(0)
  for (const id of threads) expect(await seqsOf(store, id)).toEqual(upTo(40))
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 240, problems: [] })
})

it('commits and reads go on after the database was restarted', async () => {
  const store = await postgres.open()
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  const restarted = postgres.restart()
  for (let seq = 1; seq <= 50; seq++) await store.ledger.commit(THREAD, [notice(seq)])
  await restarted
  await store.ledger.commit(THREAD, [notice(51)])
  expect(await seqsOf(store)).toEqual(upTo(51))
  expect(await store.audit.verify()).toMatchObject({ ok: true })
})

it('a store without its database fails with one plain error, and works again by itself', async () => {
  const store = await postgres.open({ reconnectMs: 100 })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [notice(1)])
  await postgres.stop()
  const unreachable = expect.objectContaining({
    name: 'StoreError',
    kind: 'io',
    message: expect.stringContaining('cannot be reached') as string,
  }) as unknown
  try {
    await expect(store.ledger.commit(THREAD, [notice(2)])).rejects.toEqual(unreachable)
    await expect(store.threads.get(THREAD)).rejects.toEqual(unreachable)
    await expect(store.approvals.answer('a', 'deny', 1)).rejects.toEqual(unreachable)
    await expect(store.ledger.sync()).rejects.toEqual(unreachable)
  } finally {
    await postgres.start()
  }
  await store.ledger.commit(THREAD, [notice(2)])
  expect(await seqsOf(store)).toEqual([1, 2])
})
