import { expect, it } from 'vitest'
import { readPattern } from './when-pattern.ts'

const at = (hour: number, minute = 0) => ({ hour, minute })
const every = { type: 'every' }
const week = (...days: readonly number[]) => ({ type: 'week', days })

it.each([
  ['0 8 * * 1-5', { type: 'times', on: week(1, 2, 3, 4, 5), times: [at(8)] }],
  ['0 8 * * MON-FRI', { type: 'times', on: week(1, 2, 3, 4, 5), times: [at(8)] }],
  ['30 8,17 * * *', { type: 'times', on: every, times: [at(8, 30), at(17, 30)] }],
  ['0,30 9 * * 7', { type: 'times', on: week(0), times: [at(9), at(9, 30)] }],
  ['0 10 * * 6,0', { type: 'times', on: week(6, 0), times: [at(10)] }],
  ['0 9 * * 5-6,0-1', { type: 'times', on: week(1, 5, 6, 0), times: [at(9)] }],
  ['0 9 * * 5-1', { type: 'times', on: week(1, 5, 6, 0), times: [at(9)] }],
  ['0 9 * * 0-6', { type: 'times', on: every, times: [at(9)] }],
  ['0 9 15 * *', { type: 'times', on: { type: 'month', day: 15 }, times: [at(9)] }],
  ['0 17 L * *', { type: 'times', on: { type: 'month', day: 'last' }, times: [at(17)] }],
  ['0 9 * * 1#1', { type: 'times', on: { type: 'nth', nth: 1, day: 1 }, times: [at(9)] }],
  ['0 16 * * FRI#L', { type: 'times', on: { type: 'nth', nth: 'last', day: 5 }, times: [at(16)] }],
  ['@daily', { type: 'times', on: every, times: [at(0)] }],
  ['@hourly', { type: 'pace', on: every, minutes: 60 }],
  ['*/30 * * * *', { type: 'pace', on: every, minutes: 30 }],
  ['0 */2 * * *', { type: 'pace', on: every, minutes: 120 }],
  ['0 8-18/2 * * 1-5', { type: 'pace', on: week(1, 2, 3, 4, 5), minutes: 120, window: { from: 8, to: 18 } }],
])('the cron line %s has words', (cron, pattern) => {
  expect(readPattern(cron)).toEqual(pattern)
})

it.each([
  '0 9 1 1,7 *',
  '0 9 1 * 1',
  '0 9 1,15 * *',
  '7 * * * *',
  '*/20 */2 * * *',
  '0 */5 * * *',
  '0 9-17/2,20 * * *',
  '0 9 * * 1-2-3',
  '0 9 * * 1#6',
  '0 1,2,3,4,5,6,7 * * *',
  'every day at 8',
  '',
])('the cron line "%s" has no words', (cron) => {
  expect(readPattern(cron)).toBeUndefined()
})
