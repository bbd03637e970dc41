import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import {
  approvalCard,
  callRow,
  composer,
  openProcessing,
  send,
  untilAnswered,
} from './fixtures/person.fixture.ts'
import { openStage } from './fixtures/stage.fixture.ts'

const stage = openStage()

/** The severities that fail a test. */
const SERIOUS = new Set(['serious', 'critical'])

/** The rules that depend on colours. All others find the same in every theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

async function expectToBeSound(page: Page, state: string): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const axe = new AxeBuilder({ page })
  const { violations } = await (isDark ? axe.withRules(OF_COLOURS) : axe).analyze()
  const serious = violations.flatMap(({ id, impact, nodes }) =>
    impact && SERIOUS.has(impact)
      ? nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`)
      : [],
  )
  expect(serious, state).toEqual([])
}

describe.each(['light', 'dark'] as const)('axe finds no serious problem in the %s theme', (colorScheme) => {
  const visit = (path = '/') => stage.visit({ path, colorScheme, reducedMotion: 'reduce' })

  it('in a conversation: welcome, connect card, approval, timeline, question', async () => {
    const { page, shoot } = await visit()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await expectToBeSound(page, 'welcome')
    await page.getByRole('button', { name: /^Connect an app/ }).click()
    await page.getByRole('button', { name: 'Connect Notes' }).waitFor()
    await shoot('connect card')
    await expectToBeSound(page, 'connect card')
    await connectNotes(stage.assistant)
    await approvalCard(page).waitFor()
    await shoot('approval')
    await expectToBeSound(page, 'approval')
    await approvalCard(page).getByRole('button', { name: 'Deny' }).click()
    const answer = await untilAnswered(page)
    await openProcessing(answer)
    await callRow(answer, /create.page/).click()
    await shoot('timeline')
    await expectToBeSound(page, 'timeline')
    await send(page, 'Ask me something')
    await untilAnswered(page, 2)
    await page.getByRole('button', { name: 'By ferry' }).waitFor()
    await expectToBeSound(page, 'question')
    await send(page, 'Show me Markdown')
    await untilAnswered(page)
    await shoot('Markdown')
    await expectToBeSound(page, 'Markdown')
  })

  it('on the pages: connections, a sync, adding a server, runs, one run, settings, diagnostics', async () => {
    await connectNotes(stage.assistant)
    const { page, shoot } = await visit()
    await send(page, 'Read https://ferries.invalid/timetable')
    await untilAnswered(page)
    await page.getByRole('link', { name: 'Connections' }).click()
    await page.getByRole('article', { name: /Notes/ }).waitFor()
    await shoot('connections')
    await expectToBeSound(page, 'connections')
    await page.getByRole('switch', { name: 'Sync into memory' }).click()
    await page.getByText('Requests to the app').waitFor()
    await page.getByRole('button', { name: 'Limits' }).click()
    await shoot('syncing into memory')
    await expectToBeSound(page, 'what a sync needs')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText(/^Synced/).waitFor()
    await shoot('synced')
    await expectToBeSound(page, 'a sync')
    await page.getByRole('switch', { name: 'Sync into memory' }).click()
    await page.getByRole('checkbox', { name: /forget what was synced/ }).waitFor()
    await expectToBeSound(page, 'switching a sync off')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add an MCP server' }).click()
    await page.getByRole('radio', { name: /^By command/ }).check()
    await shoot('add a server')
    await expectToBeSound(page, 'adding a server')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Runs' }).click()
    const run = page
      .getByRole('main')
      .getByRole('link', { name: /ferries/ })
      .first()
    await run.waitFor()
    await shoot('runs')
    await expectToBeSound(page, 'runs')
    await run.click()
    await page.getByRole('tree').waitFor()
    await shoot('a run')
    await expectToBeSound(page, 'a run')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Your data' }).waitFor()
    await expectToBeSound(page, 'settings')
    await page.getByRole('link', { name: /diagnostics/i }).click()
    await page.getByText(/Everything works\.|needs? attention\./).waitFor()
    await shoot('diagnostics')
    await expectToBeSound(page, 'diagnostics')
  })

  it('on the pages of work without a person: schedules, adding one, its proposal, jobs', async () => {
    const when = { when: 'every weekday at 8', zone: 'UTC' }
    await stage.assistant.ask('POST', '/api/schedules', { prompt: 'What time is it?', ...when })
    const { page, shoot } = await visit('/automations/schedules')
    const schedule = page.getByRole('article', { name: 'What time is it?' })
    await schedule.getByRole('button', { name: 'Run now' }).click()
    await schedule.getByText('Done', { exact: true }).waitFor()
    await schedule.getByRole('button', { name: 'History' }).click()
    await schedule.getByText('Started by you').waitFor()
    await shoot('schedules')
    await expectToBeSound(page, 'schedules')
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByRole('combobox', { name: 'How often' }).selectOption({ value: 'weekly' })
    await page.getByRole('button', { name: 'More settings' }).click()
    await page.getByText('Every Monday at 08:00').waitFor()
    await shoot('add a schedule')
    await expectToBeSound(page, 'adding a schedule')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Jobs' }).click()
    await page.getByRole('button', { name: 'End for good' }).waitFor()
    await shoot('jobs')
    await expectToBeSound(page, 'jobs')
    await page
      .getByRole('link', { name: 'New chat' })
      .or(page.getByRole('button', { name: 'New chat' }))
      .first()
      .click()
    await send(page, 'Every weekday at eight, tell me what time it is')
    await approvalCard(page).getByText('Monday to Friday at 08:00').waitFor()
    await shoot('proposal')
    await expectToBeSound(page, 'proposal of a schedule')
  })

  it('in overlays: search, help, a menu, the menu of a phone, not found', async () => {
    const { page, shoot } = await visit()
    await send(page, 'Show me Markdown')
    await untilAnswered(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('markdown')
    await page.getByRole('option').first().waitFor()
    await shoot('search')
    await expectToBeSound(page, 'search')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectToBeSound(page, 'help sheet')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await expectToBeSound(page, 'menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await shoot('menu of a phone')
    await expectToBeSound(page, 'menu of a phone')
    await page.goto(new URL('/no/such/page', stage.assistant.url).href)
    await page.getByText('Page not found').first().waitFor()
    await expectToBeSound(page, 'not found')
  })
})

describe('a screen reader', () => {
  it('is informed that the turn runs, asks and is answered', async () => {
    await connectNotes(stage.assistant)
    const { page } = await stage.visit()
    const announcements = page.getByRole('status').filter({ hasText: /The assistant/ })
    await send(page, 'Save to my Notes: rye flour')
    await announcements.filter({ hasText: 'Approval needed' }).waitFor({ state: 'attached' })
    await approvalCard(page).getByRole('button', { name: 'Deny' }).click()
    await announcements.filter({ hasText: 'The assistant has answered.' }).waitFor({ state: 'attached' })
    expect(await composer(page).isEnabled()).toBe(true)
  })
})
