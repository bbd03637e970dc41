import { describe, expect, it } from 'vitest'
import { findDailyTimes, findSteps } from './wall-clock.fixture.ts'
import type { Outage, Started } from './year.fixture.ts'
import { createYear } from './year.fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.UTC(2027, 0, 1)
const END = Date.UTC(2028, 0, 1)
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
]
const isWeekday = (weekday: string): boolean => weekday !== 'Sat' && weekday !== 'Sun'

const dueOf = ({ messageId }: Started): number => Number(messageId.split(' ').at(-1))

describe.each(ZONES)('a year of schedules in %s', (zone) => {
  it.each([
    ['every day at 2:15', '02:15'],
    ['every day at 1:45', '01:45'],
    ['every day at 2:30', '02:30'],
    ['every day at 0:00', '00:00'],
  ])('%s fires once on each day, at the first such time or right after the gap', async (when, time) => {
    const year = createYear(START)
    await year.add(when, zone)
    await year.runUntil(END)
    const expected = findDailyTimes(zone, time, START, END)
    expect(expected.length).toBeGreaterThanOrEqual(365)
    expect(year.started.map(({ at }) => at)).toEqual(expected)
  })

  it('weekdays follow the wall clock', async () => {
    const year = createYear(START)
    await year.add('every weekday at eight', zone)
    await year.runUntil(END)
    expect(year.started.map(({ at }) => at)).toEqual(findDailyTimes(zone, '08:00', START, END, isWeekday))
  })
})

/** The days around the changes of both zones: 28 March and 31 October, 4 April and 3 October. */
const CHANGES = [
  [Date.UTC(2027, 2, 26), Date.UTC(2027, 3, 7)],
  [Date.UTC(2027, 9, 1), Date.UTC(2027, 9, 6)],
  [Date.UTC(2027, 9, 29), Date.UTC(2027, 10, 3)],
] as const

it.each(['Europe/Berlin', 'Australia/Lord_Howe'])(
  'every half hour in %s is each one that passes, also in an hour that comes twice',
  async (zone) => {
    for (const [from, to] of CHANGES) {
      const year = createYear(from)
      await year.add('every 30 minutes', zone)
      await year.runUntil(to)
      expect(year.started.map(({ at }) => at)).toEqual(findSteps(zone, 30, from, to))
    }
  },
)

const OUTAGES: readonly Outage[] = [
  // 20 minutes over one due time, 11 hours, 30 hours, the gap and the double hour of Berlin, and ten days.
  { from: Date.UTC(2027, 0, 10, 6, 50), to: Date.UTC(2027, 0, 10, 7, 10) },
  { from: Date.UTC(2027, 1, 3, 6), to: Date.UTC(2027, 1, 3, 17, 20) },
  { from: Date.UTC(2027, 1, 20, 4), to: Date.UTC(2027, 1, 21, 10, 20) },
  { from: Date.UTC(2027, 2, 27, 22), to: Date.UTC(2027, 2, 28, 5, 30) },
  { from: Date.UTC(2027, 9, 30, 23, 30), to: Date.UTC(2027, 9, 31, 3, 45) },
  { from: Date.UTC(2027, 10, 3), to: Date.UTC(2027, 10, 13, 3, 20) },
]

/** What the stated rules say, from the due times and the outages alone. */
function expectFirings(
  due: readonly number[],
  rule: 'skip' | 'once' | 'all',
): readonly (readonly [due: number, at: number])[] {
  return due.flatMap((at): (readonly [number, number])[] => {
    const outage = OUTAGES.find(({ from, to }) => at >= from && at < to)
    if (!outage) return [[at, at]]
    const missed = due.filter((other) => other >= outage.from && other < outage.to)
    const behind = missed.length - missed.indexOf(at)
    const late = outage.to - at
    const isRun =
      rule === 'skip'
        ? behind === 1 && late <= 5 * MINUTE
        : rule === 'once'
          ? behind === 1 && late <= 12 * HOUR
          : behind <= 10 && late <= DAY
    return isRun ? [[at, outage.to]] : []
  })
}

describe.each(['skip', 'once', 'all'] as const)('missed times with the rule "%s"', (rule) => {
  /** Runs a schedule with the outages, and compares with these due times. */
  async function expectRuns(when: string, due: readonly number[], from = START, to = END): Promise<void> {
    const year = createYear(from)
    const { id } = await year.add(when, 'Europe/Berlin', rule)
    await year.runUntil(to, OUTAGES)
    const expected = expectFirings(due, rule)
    expect(year.started.map(dueOf)).toEqual(expected.map(([at]) => at))
    // Of several that run late, each waits for the one before.
    year.started.forEach(({ at }, index) => {
      expect(at - expected[index]![1]).toBeGreaterThanOrEqual(0)
      expect(at - expected[index]![1]).toBeLessThan(5 * MINUTE)
    })
    expect((await year.schedules.get('ana', id))!.runs).toHaveLength(30)
  }

  it.each([
    ['every day at 8', '08:00'],
    ['every day at 2:30', '02:30'],
  ])('%s', (when, time) => expectRuns(when, findDailyTimes('Europe/Berlin', time, START, END)))

  // A whole year has thousands of hours between the outages that say nothing more.
  it.each(OUTAGES.map((outage) => [new Date(outage.from).toISOString().slice(0, 10), outage] as const))(
    'every hour, with the outage of %s',
    async (_day, outage) => {
      const [from, to] = [outage.from - 2 * DAY, outage.to + 2 * DAY]
      await expectRuns('every hour', findSteps('Europe/Berlin', 60, from, to), from, to)
    },
  )
})

describe('a schedule', () => {
  it('fires each time once although its node is killed at every third run', async () => {
    let runs = 0
    const year = createYear(START, { isKilled: () => ++runs % 3 === 0 })
    await year.add('every hour', 'Europe/Berlin')
    await year.runUntil(START + 60 * DAY)
    expect(year.started.map(dueOf)).toEqual(findSteps('Europe/Berlin', 60, START, START + 60 * DAY))
  })

  it('tells of a turn that a killed node has started, and not that it was missed', async () => {
    let runs = 0
    const year = createYear(START, { isKilled: () => ++runs === 1 })
    const { id } = await year.add('every hour', 'UTC')
    // The node is killed right after one o'clock, and nothing runs until half past three.
    await year.runUntil(START + HOUR)
    await year.runUntil(START + 4 * HOUR, [{ from: START + HOUR + 1, to: START + 3.5 * HOUR }])
    expect(year.started.map(dueOf)).toEqual([1, 3, 4].map((hour) => START + hour * HOUR))
    expect((await year.schedules.get('ana', id))!.runs).toMatchObject([
      { outcome: 'done', dueAt: START + 4 * HOUR },
      { outcome: 'done', dueAt: START + 3 * HOUR },
      { outcome: 'missed', dueAt: START + 2 * HOUR },
      { outcome: 'done', dueAt: START + HOUR },
    ])
  })

  it('that a node was killed before starting is started late only as its rule says', async () => {
    let runs = 0
    const year = createYear(START, { isKilledEarly: () => ++runs === 1 })
    const { id } = await year.add('every hour', 'UTC', 'skip')
    await year.runUntil(START + HOUR)
    await year.runUntil(START + 2 * HOUR, [{ from: START + HOUR + 1, to: START + 1.5 * HOUR }])
    expect(year.started.map(dueOf)).toEqual([START + 2 * HOUR])
    expect((await year.schedules.get('ana', id))!.runs).toMatchObject([
      { outcome: 'done', dueAt: START + 2 * HOUR },
      { outcome: 'missed', dueAt: START + HOUR },
    ])
  })

  it('does not count what was due during a pause as missed', async () => {
    const year = createYear(START)
    const { id } = await year.add('every day at 8', 'UTC')
    await year.runUntil(START + 2 * DAY)
    await year.schedules.pause('ana', id)
    await year.runUntil(START + 5 * DAY + 9 * HOUR)
    expect(await year.schedules.get('ana', id)).toMatchObject({ status: 'paused', nextRuns: [] })
    await year.schedules.resume('ana', id)
    await year.runUntil(START + 7 * DAY)
    const days = year.started.map(({ at }) => (at - START) / DAY)
    expect(days.map(Math.floor)).toEqual([0, 1, 6])
    const { runs } = (await year.schedules.get('ana', id))!
    expect(runs.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
  })

  it('that is run now keeps its next time, and one with other times counts from the change on', async () => {
    const year = createYear(START)
    const { id } = await year.add('every day at 8', 'UTC')
    expect(await year.schedules.runNow('ana', id)).toMatchObject({ changed: true })
    await year.runUntil(START + 9 * HOUR)
    expect(year.started.map(({ at }) => at - START)).toEqual([0, 8 * HOUR])
    expect((await year.schedules.get('ana', id))!.runs).toMatchObject([
      { outcome: 'done', text: 'Done.' },
      { outcome: 'done', isManual: true },
    ])
    await year.schedules.change('ana', id, { when: 'every day at 6', title: 'Early' })
    await year.runUntil(START + 2 * DAY)
    expect(year.started.map(({ at }) => at - START)).toEqual([0, 8 * HOUR, DAY + 6 * HOUR])
    expect(await year.schedules.get('ana', id)).toMatchObject({ title: 'Early', cron: '0 6 * * *' })
  })

  it('that is run now while no server runs does so at the next start, also after a due time', async () => {
    const year = createYear(START)
    const { id } = await year.add('every day at 8', 'UTC', 'skip')
    year.jumpTo(START + 7 * HOUR)
    await year.schedules.runNow('ana', id)
    year.jumpTo(START + 10 * HOUR)
    await year.runUntil(START + 11 * HOUR)
    expect(year.started).toMatchObject([
      { at: START + 10 * HOUR, messageId: expect.stringContaining(' now ') },
    ])
    await year.runUntil(START + 3 * DAY)
    expect(year.started).toHaveLength(3)
    expect(await year.schedules.get('ana', id)).not.toHaveProperty('askedAt')
  })

  it('says from when to when it missed its times', async () => {
    const year = createYear(START)
    const { id } = await year.add('every day at 8', 'UTC', 'skip')
    const outage = { from: START + 3 * HOUR, to: START + 2 * DAY + 9 * HOUR }
    await year.runUntil(START + 3 * DAY + 9 * HOUR, [outage])
    const { runs } = (await year.schedules.get('ana', id))!
    expect(runs).toMatchObject([
      { outcome: 'done', dueAt: START + 3 * DAY + 8 * HOUR },
      { outcome: 'missed', dueAt: START + 8 * HOUR, missedUntil: outage.to },
    ])
  })
})
