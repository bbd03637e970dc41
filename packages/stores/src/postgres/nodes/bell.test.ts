import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { startCuttingProxy } from '../fixtures/cutting-proxy.fixture.ts'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'
import { openBell } from './bell.ts'

const postgres = usePostgres()

async function openTwo() {
  const url = await postgres.createUrl()
  const open = async (nodeId: string) => {
    const bell = await openBell({ url, nodeId, onProblem: () => {} })
    onTestFinished(() => bell.close())
    const heard: string[] = []
    const gaps: string[] = []
    bell.on('thread', (id, no) => heard.push(`${id} ${no}`))
    bell.onGap(() => gaps.push('gap'))
    return { bell, heard, gaps }
  }
  return { url, a: await open('a'), b: await open('b') }
}

it('a ring reaches the other nodes, merged, and not its own', async () => {
  const { a, b } = await openTwo()
  a.bell.ring('thread', 'one', 3)
  a.bell.ring('thread', 'one', 5)
  a.bell.ring('thread', 'two')
  a.bell.ring('other topic', 'three')
  await vi.waitFor(() => expect(b.heard).toEqual(['one 5', 'two undefined']))
  expect(a.heard).toEqual([])
})

it('many rings of one moment arrive although one payload cannot hold them', async () => {
  const { a, b } = await openTwo()
  const ids = Array.from({ length: 2_000 }, (_, index) => `thread_${index}`)
  for (const id of ids) a.bell.ring('thread', id, 1)
  await vi.waitFor(() => expect(b.heard).toEqual(ids.map((id) => `${id} 1`)))
})

it('a cut connection is made again, and reported as a gap', async () => {
  const { url, a, b } = await openTwo()
  const database = openDatabase({ url, poolSize: 1, reconnectMs: 1_000 })
  onTestFinished(() => database.close())
  await database.read(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'capstan bell' AND datname = current_database()`,
  )
  await vi.waitFor(() => expect([...a.gaps, ...b.gaps]).toEqual(['gap', 'gap']))
  b.bell.ring('thread', 'after', 1)
  await vi.waitFor(() => expect(a.heard).toEqual(['after 1']))
})

it('what is rung while the connection is lost arrives when there is one again', async () => {
  const { url, b } = await openTwo()
  const proxy = await startCuttingProxy(url)
  const bell = await openBell({ url: proxy.url, nodeId: 'c', onProblem: () => {} })
  onTestFinished(() => bell.close())
  proxy.cutOnRequest('pg_notify')
  bell.onGap(() => bell.ring('thread', 'after', 2))
  bell.ring('thread', 'cut', 1)
  await vi.waitFor(() => expect(b.heard).toEqual(['cut 1', 'after 2']))
  expect(b.gaps).toEqual([])
})
