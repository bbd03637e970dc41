import type { SchedulePreview, ScheduleRow } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome } from '../../testing/stored-thread.ts'

async function open() {
  const home = await createHome()
  return async (...args: readonly string[]) => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['schedules', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
}

const ADD = ['add', 'every weekday at 8', '--prompt', 'Summarise my mail.', '--zone', 'Europe/Berlin']

it('capstan schedules adds, shows, pauses, resumes, runs and removes a schedule', async () => {
  const schedules = await open()
  expect((await schedules()).out).toBe(
    'There are no schedules here.\nAdd one: capstan schedules add "every weekday at 8" --prompt "Summarise my mail."\n',
  )
  const added = JSON.parse((await schedules(...ADD, '--usd', '0.5', '--json')).out) as ScheduleRow
  expect(added).toMatchObject({
    title: 'Summarise my mail.',
    cron: '0 8 * * 1-5',
    zone: 'Europe/Berlin',
    misfire: 'once',
    limits: { usd: 0.5, minutes: 30 },
    status: 'waiting',
  })
  expect(added.nextRuns).toHaveLength(5)
  expect((await schedules('list')).out).toContain(added.id)
  const shown = await schedules('show', added.id)
  expect(shown.out).toContain('waiting: every weekday at 8 (0 8 * * 1-5) in Europe/Berlin')
  expect(shown.out).toMatch(/Next runs:\n- \w{3}, \d\d \w+ \d{4}, 08:00/)
  const statusAfter = async (action: string): Promise<string> =>
    (JSON.parse((await schedules(action, added.id, '--json')).out) as ScheduleRow).status
  expect(await statusAfter('pause')).toBe('paused')
  expect(await schedules('run', added.id)).toMatchObject({ code: 1 })
  expect(await statusAfter('resume')).toBe('waiting')
  expect(await statusAfter('run')).toBe('waiting')
  expect((await schedules('remove', added.id)).out).toBe('Removed.\n')
  expect(await schedules('show', added.id)).toMatchObject({ code: 1 })
})

it('capstan schedules preview says when words would run, and stores nothing', async () => {
  const schedules = await open()
  await schedules(...ADD)
  const { out } = await schedules('preview', 'every day at 7', '--zone', 'Asia/Kolkata', '--json')
  const found = JSON.parse(out) as SchedulePreview
  expect(found).toMatchObject({ cron: '0 7 * * *', zone: 'Asia/Kolkata' })
  expect(found.nextRuns).toHaveLength(5)
  expect((await schedules('list', '--json')).out.trim().split('\n')).toHaveLength(1)
})

it('capstan schedules refuses what is unclear, too often, or no zone, with words that help', async () => {
  const schedules = await open()
  await schedules(...ADD)
  const add = (when: string, ...more: readonly string[]) =>
    schedules('add', when, '--prompt', 'Look.', ...more)
  expect(await add('jeden Werktag um acht')).toMatchObject({
    code: 1,
    err: expect.stringContaining('every weekday at 8') as string,
  })
  expect((await add('*/5 * * * *')).err).toContain('at most every 15 minutes')
  expect((await add('0 0 31 2 *')).err).toContain('never comes')
  expect((await add('every day at 8', '--zone', 'Mars/Base')).err).toContain('IANA')
  expect(await add('every day at 8', '--misfire', 'maybe')).toMatchObject({ code: 2 })
  expect(await add('every day at 8', '--usd', '-1')).toMatchObject({ code: 2 })
  expect(await schedules('add', 'every day at 8')).toMatchObject({ code: 2 })
  expect(await schedules('add', 'every', 'day')).toMatchObject({ code: 2 })
  expect(await schedules('explode', 'x')).toMatchObject({ code: 2 })
})

it('capstan schedules edit changes what the flags name, and nothing else', async () => {
  const schedules = await open()
  const { id } = JSON.parse((await schedules(...ADD, '--json')).out) as ScheduleRow
  const edit = async (...flags: readonly string[]) =>
    JSON.parse((await schedules('edit', id, ...flags, '--json')).out) as ScheduleRow
  expect(await edit('--when', 'fridays at 16:00', '--usd', '2')).toMatchObject({
    prompt: 'Summarise my mail.',
    cron: '0 16 * * 5',
    zone: 'Europe/Berlin',
    limits: { usd: 2, minutes: 30 },
    misfire: 'once',
  })
  expect(await edit('--title', 'Mail', '--misfire', 'all', '--thread', 'own')).toMatchObject({
    title: 'Mail',
    cron: '0 16 * * 5',
    misfire: 'all',
  })
  expect(await schedules('edit', id)).toMatchObject({ code: 2 })
  expect(await schedules('edit', id, '--prompt', ' ')).toMatchObject({ code: 2 })
  expect(await schedules('edit', id, '--when', 'soon')).toMatchObject({
    code: 1,
    err: expect.stringContaining('every weekday at 8') as string,
  })
  expect(await schedules('edit', 'schedule_unknown', '--title', 'x')).toMatchObject({ code: 1 })
})
