/** Due times by another way than the code under test: from the wall clock of the zone, by quarters of an hour. */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface Wall {
  readonly day: string
  readonly weekday: string
  /** Minutes since midnight. */
  readonly minute: number
}

function createWallClock(timeZone: string): (at: number) => Wall {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      day: `${part['year']}-${part['month']}-${part['day']}`,
      weekday: part['weekday']!,
      minute: Number(part['hour']) * 60 + Number(part['minute']),
    }
  }
}

/**
 * When a clock on the wall shows a time on each day. A time that the day does not have counts as the first one after the
 * gap; a time that it has twice counts as the first one.
 */
export function findDailyTimes(
  timeZone: string,
  time: string,
  from: number,
  to: number,
  isDay: (weekday: string) => boolean = () => true,
): readonly number[] {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  const wanted = hour * 60 + minute
  const read = createWallClock(timeZone)
  const found = new Map<string, number>()
  // Only around the time: half an hour of Lord Howe up to an hour elsewhere is what clocks change by.
  for (let day = from - DAY; day < to + DAY; day += DAY) {
    const { minute: shown } = read(day)
    const about = day + (wanted - shown) * MINUTE // All zones here are whole quarters from UTC.
    for (let at = about - 90 * MINUTE; at <= about + 90 * MINUTE; at += 15 * MINUTE) {
      const wall = read(at)
      const isThere = wall.minute >= wanted && wall.minute < wanted + 90
      if (isThere && !found.has(wall.day) && isDay(wall.weekday)) found.set(wall.day, at)
    }
  }
  return [...found.values()].filter((at) => at > from && at <= to).toSorted((a, b) => a - b)
}

/** Every whole hour or half hour that a clock on the wall shows. */
export function findSteps(
  timeZone: string,
  stepMinutes: number,
  from: number,
  to: number,
): readonly number[] {
  const read = createWallClock(timeZone)
  const found: number[] = []
  for (let at = from - (from % (15 * MINUTE)); at <= to; at += 15 * MINUTE)
    if (at > from && read(at).minute % stepMinutes === 0) found.push(at)
  return found
}
