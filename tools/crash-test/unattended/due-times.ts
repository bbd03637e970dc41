import { findDailyTimes, findSteps } from '../../../packages/server/src/schedules/wall-clock.fixture.ts'

/** When schedules run, in words. */
export const WHENS = [
  'every 15 minutes',
  'every 30 minutes',
  'every hour',
  'every day at 2:30',
  'weekdays at 8',
] as const

const isWeekday = (day: string): boolean => day !== 'Sat' && day !== 'Sun'

/** The due times of these words after an instant and until another, by the clock on the wall. */
export function findDueTimes(when: string, zone: string, from: number, to: number): readonly number[] {
  // The clock on the wall is read by quarters of an hour.
  return findByQuarters(when, zone, from - (from % QUARTER_MS), to).filter((at) => at > from)
}

const QUARTER_MS = 15 * 60_000

function findByQuarters(when: string, zone: string, from: number, to: number): readonly number[] {
  switch (when) {
    case 'every 15 minutes':
      return findSteps(zone, 15, from, to)
    case 'every 30 minutes':
      return findSteps(zone, 30, from, to)
    case 'every hour':
      return findSteps(zone, 60, from, to)
    case 'every day at 2:30':
      return findDailyTimes(zone, '2:30', from, to)
    case 'weekdays at 8':
      return findDailyTimes(zone, '8:00', from, to, isWeekday)
    default:
      throw new Error(`Nobody knows when "${when}" is due.`)
  }
}
