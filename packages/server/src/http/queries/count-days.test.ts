import { createMemoryStore } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createDayCounter } from './count-days.ts'

it('counting the days of many threads does not block other requests', async () => {
  const store = createMemoryStore()
  for (let no = 0; no < 500; no++)
    await store.threads.create({ id: `thread_${no}` as ThreadId, userId: 'ada', at: Date.now() })
  const readEvents = store.ledger.readEvents.bind(store.ledger)
  let [inARow, most] = [0, 0]
  store.ledger.readEvents = (...args) => {
    most = Math.max(most, ++inARow)
    setImmediate(() => (inARow = 0))
    return readEvents(...args)
  }
  expect((await createDayCounter().read(store, 'ada', 7)).days).toHaveLength(7)
  expect(most).toBeLessThanOrEqual(50)
})
