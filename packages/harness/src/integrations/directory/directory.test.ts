import { expect, it } from 'vitest'
import type { Connector } from '../../ports/connector.ts'
import { createMemoryConnectionStore } from '../../ports/memory/memory-connection-store.ts'
import { createTestClock } from '../../testing/index.ts'
import { createDirectory } from './directory.ts'

function open() {
  const clock = createTestClock()
  const asked = { count: 0, isAway: false }
  const connector = {
    id: 'fake',
    async toolkits() {
      asked.count++
      if (asked.isAway) throw new Error('away')
      return []
    },
  } as Partial<Connector> as Connector
  const store = createMemoryConnectionStore()
  return {
    clock,
    asked,
    directory: createDirectory({ connectors: { list: () => [connector] }, store, clock }),
  }
}

it('the directory refreshes an old snapshot in the background when it is used', async () => {
  const { clock, asked, directory } = open()
  directory.touch('ada')
  expect(asked.count).toBe(0) // not read yet, so not used
  await directory.warm('ada')
  await clock.advance(59_000)
  directory.touch('ada')
  expect(asked.count).toBe(1)
  await clock.advance(1_000)
  directory.touch('ada')
  directory.touch('ada')
  await directory.read('ada')
  expect(asked.count).toBe(2)
})

it('the directory asks an unavailable connector once a minute at most', async () => {
  const { clock, asked, directory } = open()
  await directory.warm('ada')
  asked.isAway = true
  await clock.advance(60_000)
  for (let look = 0; look < 10; look++) {
    directory.touch('ada')
    await clock.advance(1_000)
  }
  expect(asked.count).toBe(2)
  expect(directory.last('ada')).toMatchObject({ authoritative: false })
  await clock.advance(60_000)
  asked.isAway = false
  directory.touch('ada')
  await clock.advance(0)
  expect(directory.peek('ada')).toMatchObject({ authoritative: true })
})
