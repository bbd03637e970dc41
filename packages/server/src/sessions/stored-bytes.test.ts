import { createMemoryStore } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import { createStoredBytes } from './stored-bytes.ts'

const at = 1_000

async function setUp() {
  const store = createMemoryStore()
  const bytesOf = vi.spyOn(store.threads, 'bytesOf').mockImplementation((id) => (id === 'large' ? 500 : 20))
  for (const id of ['small', 'large'])
    await store.threads.create({ id: id as ThreadId, userId: 'ada', title: id, at })
  let time = at
  const stored = createStoredBytes(store, () => time)
  return { store, stored, bytesOf, pass: (ms: number) => void (time += ms) }
}

it('what a user has stored is measured once a minute, and not with every message', async () => {
  const { stored, bytesOf, pass } = await setUp()
  for (let message = 0; message < 100; message++) expect(await stored.of('ada')).toBe(520)
  expect(bytesOf).toHaveBeenCalledTimes(2)
  pass(61_000)
  expect(await stored.of('ada')).toBe(520)
  expect(bytesOf).toHaveBeenCalledTimes(4)
})

it('what is sent counts at once, and what was deleted is gone with the next measurement', async () => {
  const { store, stored } = await setUp()
  await stored.of('ada')
  stored.note('ada', 1_000)
  expect(await stored.of('ada')).toBe(1_520)
  await store.threads.delete('large' as ThreadId)
  expect(await stored.measure('ada')).toEqual([{ title: 'small', bytes: 20 }])
  expect(await stored.of('ada')).toBe(20)
  expect(await stored.of('eve')).toBe(0)
})
