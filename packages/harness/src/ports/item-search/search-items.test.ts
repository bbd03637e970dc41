import { expect, it } from 'vitest'
import { createMemoryUserMemory } from '../memory/memory-user-memory.ts'

it('lets others run between long items that it judges', async () => {
  const memory = createMemoryUserMemory()
  const text = 'boiler '.repeat(5_000)
  const items = ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    app: 'notes',
    externalId: id,
    at: 0,
    title: id,
    text,
    people: [],
    seenAt: 0,
  }))
  await memory.put('ana', items)
  let turns = 0
  let isOver = false
  const count = (): void => void setImmediate(() => (turns++, isOver || count()))
  count()
  expect(await memory.search('ana', { words: 'boiler' })).toHaveLength(4)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(4)
})
