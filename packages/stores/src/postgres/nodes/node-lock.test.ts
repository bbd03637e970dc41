import { expect, it, onTestFinished, vi } from 'vitest'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'
import { openNodeLock } from './node-lock.ts'

const postgres = usePostgres()

async function createUrl() {
  const store = await postgres.open() // makes the tables
  return postgres.urlOf(store)
}

async function openLock(url: string, nodeId: string, onRegained = () => {}) {
  const lock = await openNodeLock({ url, nodeId, role: 'all', version: '1', onRegained, onProblem: () => {} })
  onTestFinished(() => lock.close())
  return lock
}

it('a node that is alive cannot be taken over, and one that is gone can', async () => {
  const url = await createUrl()
  const a = await openLock(url, 'a')
  const b = await openLock(url, 'b')
  const work = vi.fn(async () => {})
  expect(await b.whileDead('a', 60_000, work)).toBe(false)
  expect(work).not.toHaveBeenCalled()
  await a.close()
  expect(await b.whileDead('a', 60_000, work)).toBe(true)
  expect(work).toHaveBeenCalledOnce()
})

it('a second node with the same name is refused', async () => {
  const url = await createUrl()
  await openLock(url, 'a')
  await expect(openLock(url, 'a')).rejects.toMatchObject({ kind: 'locked' })
}, 15_000)

it('a node without a sign of life is cut off; it learns of it when it wakes up', async () => {
  const url = await createUrl()
  const regained = vi.fn()
  const a = await openLock(url, 'a', regained)
  const b = await openLock(url, 'b')
  const work = vi.fn(async () => {})
  await a.beat()
  await postgres.run(url, `UPDATE nodes SET seen_at = now() - interval '20 seconds' WHERE id = 'a'`)
  expect(await b.whileDead('a', 15_000, work)).toBe(false)
  await vi.waitFor(() => expect(regained).toHaveBeenCalledOnce())
  expect(await a.beat()).toBe(true)
  expect(await b.whileDead('a', 15_000, work)).toBe(false)
})
