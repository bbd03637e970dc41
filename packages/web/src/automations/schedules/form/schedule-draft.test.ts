import type { ScheduleRow } from '@capstan/protocol'
import { expect, it } from 'vitest'
import type { ScheduleDraft } from './schedule-draft.ts'
import { emptyDraft, findProblems, toDraft, toPatch, toPost, toWhen } from './schedule-draft.ts'

const ROW: ScheduleRow = {
  id: 'schedule_1',
  title: 'Mail',
  prompt: 'Summarise my mail.',
  when: '0 8 * * 1-5',
  cron: '0 8 * * 1-5',
  zone: 'Europe/Berlin',
  misfire: 'once',
  limits: { usd: 1, minutes: 30 },
  status: 'waiting',
  nextRuns: [],
  runs: [],
  createdAt: 0,
}
const draft = (part: Partial<ScheduleDraft>): ScheduleDraft => ({
  ...emptyDraft('UTC'),
  prompt: 'Look.',
  ...part,
})

it.each([
  [{ way: 'daily', time: '07:05' }, '5 7 * * *'],
  [{ way: 'weekdays', time: '08:00' }, '0 8 * * 1-5'],
  [{ way: 'weekly', time: '17:30', days: [0, 4, 1] }, '30 17 * * 1,4,0'],
  [{ way: 'monthly', time: '09:00', monthDay: '15' }, '0 9 15 * *'],
  [{ way: 'monthly', time: '09:00', monthDay: 'last' }, '0 9 L * *'],
  [{ way: 'hourly', pace: 30 }, '*/30 * * * *'],
  [{ way: 'hourly', pace: 60 }, '0 * * * *'],
  [{ way: 'hourly', pace: 240 }, '0 */4 * * *'],
] as const)('a choice is a cron line, and is found again: %j', (part, cron) => {
  expect(toWhen(draft(part))).toBe(cron)
  const again = toDraft({ ...ROW, when: cron, cron })
  expect(again.way).toBe(part.way)
  expect(toWhen(again)).toBe(cron)
})

it('words of the person stay words, also when there is a choice for them', () => {
  expect(toDraft({ ...ROW, when: 'every weekday at 8' })).toMatchObject({
    way: 'words',
    words: 'every weekday at 8',
  })
  expect(toDraft({ ...ROW, when: '0 8 * * 1#1', cron: '0 8 * * 1#1' })).toMatchObject({ way: 'words' })
})

it('a change sends only what differs', () => {
  const before = { ...ROW, threadId: 'thread_1' as never }
  expect(toPatch(toDraft(before), before)).toEqual({})
  expect(toPatch({ ...toDraft(before), time: '09:00', threadId: '', usd: '2' }, before)).toEqual({
    when: '0 9 * * 1-5',
    threadId: null,
    limits: { usd: 2, minutes: 30 },
  })
})

it('a new schedule without a name has none, so that the server takes the prompt', () => {
  expect(toPost(draft({ title: ' ' }))).toEqual({
    prompt: 'Look.',
    when: '0 8 * * 1-5',
    zone: 'UTC',
    misfire: 'once',
    limits: { usd: 1, minutes: 30 },
  })
})

it('what is missing or out of range is found before anything is sent', () => {
  expect(findProblems(draft({}))).toEqual([])
  expect(
    findProblems(draft({ prompt: ' ', way: 'weekly', days: [], time: '', usd: '0', minutes: '1.5' })),
  ).toEqual(['prompt', 'days', 'time', 'usd', 'minutes'])
  expect(findProblems(draft({ way: 'words' }))).toEqual(['words'])
})
