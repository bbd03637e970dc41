import { assert, integer, property } from 'fast-check'
import { expect, it } from 'vitest'
import { toTimeTicks, toValueTicks } from './scale.ts'

it('toTimeTicks uses round clock steps', () => {
  expect(toTimeTicks(0, 1000, 5)).toEqual([0, 200, 400, 600, 800, 1000])
  expect(toTimeTicks(0, 42_000, 5)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  expect(toTimeTicks(0, 600_000, 5)).toEqual([0, 120_000, 240_000, 360_000, 480_000, 600_000])
  expect(toTimeTicks(0, 3 * 86_400_000, 4)).toEqual([0, 86_400_000, 172_800_000, 259_200_000])
})

it('toTimeTicks starts a window at the next round point', () => {
  expect(toTimeTicks(130, 480, 4)).toEqual([200, 300, 400])
})

it('toTimeTicks never returns more ticks than allowed, all inside and in order', () => {
  assert(
    property(
      integer({ min: 0, max: 1e9 }),
      integer({ min: 1, max: 1e10 }),
      integer({ min: 1, max: 8 }),
      (start, length, most) => {
        const ticks = toTimeTicks(start, start + length, most)
        expect(ticks.length).toBeLessThanOrEqual(most + 1)
        expect(ticks.every((tick) => tick >= start && tick <= start + length)).toBe(true)
        expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
      },
    ),
  )
})

it('toValueTicks ends at a round number above the largest value', () => {
  expect(toValueTicks(37_000, 4)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  expect(toValueTicks(0.07, 4)).toEqual([0, 0.02, 0.04, 0.06, 0.08])
  expect(toValueTicks(100, 4)).toEqual([0, 50, 100])
  expect(toValueTicks(0, 4)).toEqual([0, 1])
})
