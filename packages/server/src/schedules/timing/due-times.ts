import { Cron } from 'croner'

/** When a cron line in a time zone is due. */
export interface DueTimes {
  /** The first due time after this instant. Undefined: there is none. */
  after(instant: number): number | undefined
  /** The due times after one instant and until another, this one included. */
  within(after: number, until: number): readonly number[]
  /** The next due times. */
  next(instant: number, count: number): readonly number[]
}

/** Reads a cron line with five fields. Throws when it cannot be read. */
export function readCron(cron: string, zone: string): DueTimes {
  // Never started: it only computes.
  const pattern = new Cron(cron, { paused: true, timezone: zone, mode: '5-part' })
  const after = (instant: number): number | undefined => pattern.nextRun(new Date(instant))?.getTime()
  const collect = (from: number, isWanted: (at: number, found: number) => boolean): readonly number[] => {
    const found: number[] = []
    for (let at = after(from); at !== undefined && isWanted(at, found.length); at = after(at)) found.push(at)
    return found
  }
  return {
    after,
    within: (from, until) => collect(from, (at) => at <= until),
    next: (instant, count) => collect(instant, (_at, found) => found < count),
  }
}
