import { expect, it } from 'vitest'
import { countDays, readLimit, readLimits, toDraft } from './limits-draft.ts'
import { syncOf } from './sync.fixture.ts'

const { settings } = syncOf('a')
const draft = toDraft(settings)

it('limits are read as they were typed, and only when all can be used', () => {
  const { pages: _, ...limits } = settings
  expect(readLimits(draft)).toEqual(limits)
  expect(readLimits({ ...draft, days: ' 0 ' })).toEqual({ ...limits, days: 0 })
  for (const typed of ['', '  ', '1.5', '-1', 'ten', '99999999'])
    expect(readLimit({ ...draft, items: typed }, 'items'), typed).toBeUndefined()
  expect(readLimits({ ...draft, intervalMinutes: '14' })).toBeUndefined()
})

it('a first sync takes as many days as its larger budget needs, and at least one', () => {
  const estimate = { items: 5_000, requests: 5_250, tokens: 1, days: 11, isAtLeast: false }
  expect(countDays(estimate, settings)).toBe(11)
  expect(countDays(estimate, { ...settings, requestsPerDay: 100_000 })).toBe(1)
  expect(countDays({ ...estimate, tokens: 50_000_000 }, { ...settings, requestsPerDay: 100_000 })).toBe(10)
})
