import { expect, it, vi } from 'vitest'
import { createStopEverything } from './stop-everything.ts'

it('a hold that waits in vain for another node is stored, recorded and published', async () => {
  const set = vi.fn(async () => {})
  const record = vi.fn(async () => {})
  const publish = vi.fn()
  const everything = createStopEverything({
    holds: { of: () => undefined, held: () => [], set, clear: async () => {}, onHoldsChanged() {} },
    users: {
      threadsOf: () => ({ hold: async () => {} }) as never,
      known: () => ['local'],
      applyHolds() {},
      resume: async () => {},
      stop: async () => {},
    },
    record,
    publish,
    now: () => 1,
    untilIdle: () => Promise.reject(new Error('a node does not answer')),
  })
  await expect(everything.hold({ by: 'local', isForEverybody: true })).rejects.toThrow('does not answer')
  expect(set).toHaveBeenCalledOnce()
  expect(record).toHaveBeenCalledOnce()
  expect(publish).toHaveBeenCalledWith({ userId: 'local', type: 'settings-change' })
})
