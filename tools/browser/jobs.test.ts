import type { JobPage, ScheduleRow } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hasFocus, tabTo } from './fixtures/focus.fixture.ts'
import { openStage } from './fixtures/stage.fixture.ts'

const stage = openStage()

const card = (page: Page, title: string): Locator => page.getByRole('article', { name: title })
const press = (within: Locator | Page, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click()
const addSchedule = (title: string): Promise<ScheduleRow> =>
  stage.assistant.ask('POST', '/api/schedules', {
    title,
    prompt: 'What time is it?',
    when: 'every weekday at 8',
    zone: 'UTC',
  })

const PATH = '/automations/jobs'

it('the page of jobs is empty at first, and a job is paused, resumed, run and ended on it', async () => {
  const { page, shoot } = await stage.visit({ path: PATH })
  await page.getByText('Nothing runs by itself yet').waitFor()
  await page.getByRole('link', { name: 'Add a schedule' }).waitFor()
  await shoot('empty')
  // The page follows what happens elsewhere.
  await addSchedule('The time')
  const job = card(page, 'The time')
  await job.getByRole('link', { name: 'Schedule' }).waitFor()
  await shoot('waiting')
  await press(job, 'Pause')
  await job.getByText('Paused', { exact: true }).waitFor()
  expect(await hasFocus(job.getByRole('button', { name: 'Resume' }))).toBe(true)
  await press(job, 'Resume')
  await job.getByText('Waiting', { exact: true }).waitFor()
  await press(job, 'Run now')
  await job.getByText('Last time').waitFor()
  await press(job, 'End for good')
  await shoot('ask')
  await press(page.getByRole('dialog'), 'Cancel')
  expect(await job.getByRole('button', { name: 'Pause' }).count()).toBe(1)
  await press(job, 'End for good')
  await press(page.getByRole('dialog'), 'End for good')
  await job.getByText('Cancelled', { exact: true }).waitFor()
  expect(await job.getByRole('button').count()).toBe(0)
  await shoot('ended')
})

it('jobs are filtered by kind and state, by keyboard, and two tabs show the same', async () => {
  await addSchedule('The time')
  await addSchedule('The date')
  const { page, context, shoot } = await stage.visit({ path: PATH })
  await press(card(page, 'The date'), 'Pause')
  await card(page, 'The date').getByText('Paused', { exact: true }).waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'State' }), 'Shift+Tab')
  await page.keyboard.type('Pa')
  await card(page, 'The time').waitFor({ state: 'detached' })
  expect(await card(page, 'The date').count()).toBe(1)
  await shoot('paused ones')
  await tabTo(page, page.getByRole('combobox', { name: 'Kind' }), 'Shift+Tab')
  await page.keyboard.type('Sy')
  await page.getByText('No job fits').waitFor()
  await shoot('none fits')
  await tabTo(page, page.getByRole('button', { name: 'Show all jobs' }))
  await page.keyboard.press('Enter')
  await card(page, 'The time').waitFor()
  await press(card(page, 'The date'), 'Resume')
  await card(page, 'The date').getByText('Waiting', { exact: true }).waitFor()

  const other = await context.newPage()
  await other.goto(page.url())
  await press(card(other, 'The time'), 'Pause')
  await card(page, 'The time').getByText('Paused', { exact: true }).waitFor()
  const { jobs } = await stage.assistant.ask<JobPage>('GET', '/api/jobs?status=paused')
  expect(jobs).toMatchObject([{ title: 'The time', kind: 'schedule' }])
})
