import { describe, expect, it } from 'vitest'
import { createTestRun } from '../testing/test-run.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { tryTool } from '../testing/try-tool.ts'
import { createClockTool } from './clock.ts'

const at = (utc: number) => ({ run: createTestRun({ clock: createTestClock(utc) }) })
const WINTER = Date.UTC(2026, 0, 5, 23, 30, 5)
const SUMMER = Date.UTC(2026, 6, 5, 23, 30, 5)

describe('the clock tool', () => {
  it.each([
    ['UTC', WINTER, 'Monday, 2026-01-05T23:30:05+00:00 (UTC, UTC+00:00)'],
    ['Europe/Berlin', WINTER, 'Tuesday, 2026-01-06T00:30:05+01:00 (Europe/Berlin, UTC+01:00)'],
    ['Europe/Berlin', SUMMER, 'Monday, 2026-07-06T01:30:05+02:00 (Europe/Berlin, UTC+02:00)'],
    ['america/new_york', WINTER, 'Monday, 2026-01-05T18:30:05-05:00 (America/New_York, UTC-05:00)'],
    ['Asia/Kathmandu', WINTER, 'Tuesday, 2026-01-06T05:15:05+05:45 (Asia/Kathmandu, UTC+05:45)'],
  ])('tells the time in %s', async (time_zone, now, text) => {
    const outcome = await tryTool(createClockTool(), { time_zone }, at(now))
    // Which of two names of one zone is the canonical one depends on the ICU data.
    expect(outcome.text.replace('Katmandu', 'Kathmandu')).toBe(text)
  })

  it('uses its configured zone by default', async () => {
    const clock = createClockTool({ timeZone: 'Asia/Tokyo' })
    expect((await tryTool(clock, {}, at(WINTER))).text).toContain('2026-01-06T08:30:05+09:00')
    expect((await tryTool(clock, { time_zone: ' ' }, at(WINTER))).text).toContain('Asia/Tokyo')
  })

  it.each(['Mars/Olympus', 'Berlin', 'GMT+25', '../etc/localtime'])(
    'refuses %s and shows what a zone looks like',
    async (time_zone) => {
      const outcome = await tryTool(createClockTool(), { time_zone }, at(WINTER))
      expect(outcome).toMatchObject({ ok: false, errorCode: 'invalid_arguments' })
      expect(outcome.text).toContain(`"${time_zone}"`)
      expect(outcome.text).toContain('America/New_York')
    },
  )
})
