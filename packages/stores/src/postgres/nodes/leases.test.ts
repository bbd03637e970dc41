import { testLocks } from '@capstan/harness/testing/suites'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'
import { createLeases } from './leases.ts'

const postgres = usePostgres()
const LIMIT = { limitMs: 20_000 }

async function openTwo(leaseMs?: number) {
  const store = await postgres.open()
  const url = postgres.urlOf(store)
  const openNode = (nodeId: string) => {
    const database = openDatabase({ url, poolSize: 2, reconnectMs: 1_000 })
    onTestFinished(() => database.close())
    return createLeases(database, nodeId, leaseMs)
  }
  return { url, nodes: [openNode('a'), openNode('b')] as const }
}

testLocks('rows of leases', async () => (await openTwo()).nodes)

it('a lease of a node that died is taken over when its time has passed', async () => {
  const { url, nodes } = await openTwo()
  await postgres.run(url, `INSERT INTO leases VALUES ('a', 'gone', clock_timestamp() + interval '300 ms')`)
  const began = performance.now()
  await nodes[0].withLock('a', async () => {}, LIMIT)
  expect(performance.now() - began).toBeGreaterThan(250)
})

it('a lease is renewed while the work lasts, and its row is gone afterwards', async () => {
  const { url, nodes } = await openTwo(1_500)
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const work = async () => {
    begun.resolve()
    await end.promise
    order.push('a')
  }
  const held = nodes[0].withLock('a', work, LIMIT)
  await begun.promise
  const waiting = nodes[1].withLock('a', async () => order.push('b'), LIMIT)
  const readUntil = () => postgres.run<{ until_at: Date }>(url, 'SELECT until_at FROM leases')
  const [first] = await readUntil()
  await vi.waitFor(
    async () => expect((await readUntil())[0]!.until_at.getTime()).toBeGreaterThan(first!.until_at.getTime()),
    { timeout: 20_000, interval: 50 },
  )
  end.resolve()
  await Promise.all([held, waiting])
  expect(order).toEqual(['a', 'b'])
  expect(await readUntil()).toEqual([])
})
