import type { TurnEvent } from '@capstan/protocol'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addTriggers } from './fixtures/add-triggers.ts'
import { connectNotes } from './fixtures/connect-notes.ts'
import { fillMemory } from './fixtures/fill-memory.ts'
import {
  allowOnce,
  approvalCard,
  composer,
  openProcessing,
  send,
  threadIdOf,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage } from './fixtures/stage.fixture.ts'

const stage = openStage()

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

/** Nothing overflows to the side, and the page scrolls inside the frame. */
async function expectToFit(page: Page): Promise<void> {
  const [wide, high, width, height] = await page.evaluate<readonly [number, number, number, number]>(
    '[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight, innerWidth, innerHeight]',
  )
  const { origin, pathname } = new URL(page.url())
  expect(wide, `width of ${pathname}`).toBeLessThanOrEqual(width)
  if (origin === stage.assistant.url) expect(high, `height of ${pathname}`).toBeLessThanOrEqual(height)
}

describe('on a phone', () => {
  it('a turn can be started, connected, approved and read', async () => {
    const { page, context, shoot } = await stage.visit(PHONE)
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await expectToFit(page)
    await shoot('welcome')
    await page.getByRole('button', { name: /^Connect an app/ }).tap()
    const connect = page.getByRole('button', { name: 'Connect Notes' })
    await connect.waitFor()
    await expectToFit(page)
    await shoot('connect card')
    const [consent] = await Promise.all([context.waitForEvent('page'), connect.tap()])
    await consent.getByRole('button', { name: 'Allow' }).waitFor()
    await expectToFit(consent)
    await shoot('consent', consent)
    await consent.getByRole('button', { name: 'Allow' }).tap()
    await approvalCard(page).waitFor()
    await expectToFit(page)
    // There is no keyboard whose keys could answer.
    expect(await approvalCard(page).getByText('D', { exact: true }).isVisible()).toBe(false)
    await shoot('approval')
    await allowOnce(page)
    const answer = await untilAnswerContains(page, 'It is in your Notes.')
    await openProcessing(answer)
    await expectToFit(page)
    await shoot('timeline')
    const closed = answer.getByRole('button', { expanded: false })
    while ((await closed.count()) > 0) await closed.first().tap()
    await expectToFit(page)
    await shoot('timeline, all open')
    await composer(page).tap()
    await send(page, 'Show me Markdown')
    await untilAnswered(page, 2)
    await expectToFit(page)
    await shoot('Markdown')
  })

  it('a link to a call shows the call and scrolls nothing else out of view', async () => {
    await connectNotes(stage.assistant)
    const { page, shoot } = await stage.visit(PHONE)
    await page.getByRole('button', { name: /^Watch two helpers work/ }).tap()
    await untilAnswerContains(page, 'Almanac')
    const threadId = threadIdOf(page)
    const last = (await stage.assistant.events(threadId)).findLast(({ type }) => type === 'tool-start')
    const { runId, callId } = last as Extract<TurnEvent, { type: 'tool-start' }>
    await page.goto(new URL(`/t/${threadId}/call/${runId}:${callId}`, stage.assistant.url).href)
    await page.getByText('Output', { exact: true }).first().waitFor()
    await shoot('linked')
    const [menu, box] = await Promise.all([
      page.getByRole('button', { name: 'Open menu' }).boundingBox(),
      composer(page).boundingBox(),
    ])
    expect(menu!.y).toBeGreaterThanOrEqual(0)
    expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.viewport.height)
    await expectToFit(page)
  })

  it('activity and triggers fit, also in Arabic, and a source is added', async () => {
    await addTriggers(stage.assistant)
    const { page, shoot } = await stage.visit({ ...PHONE, path: '/automations' })
    await page.getByRole('article', { name: 'Test' }).first().waitFor()
    await expectToFit(page)
    await shoot('activity')
    await page.getByRole('tab', { name: 'Triggers' }).tap()
    await page.getByRole('article', { name: 'Our house' }).waitFor()
    await expectToFit(page)
    await shoot('triggers')
    await page.getByRole('button', { name: 'Add a source' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch', { name: 'Quiet hours' }).tap()
    await expectToFit(page)
    await shoot('a new source')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Our shop')
    await dialog.getByRole('button', { name: 'Create' }).tap()
    await dialog.getByText('The secret is shown only now.').waitFor()
    await expectToFit(page)
    await shoot('its secret')
    await dialog.getByRole('button', { name: 'Done' }).tap()
    await stage.assistant.change({ language: 'ar' })
    await page.locator('html[lang="ar"]').waitFor()
    await expectToFit(page)
    await shoot('triggers in Arabic')
    await page.getByRole('tab').first().tap()
    await page.getByRole('article', { name: 'Test' }).first().waitFor()
    await expectToFit(page)
    await shoot('activity in Arabic')
  })

  it('every page fits and is reached through the menu', async () => {
    const { page, shoot } = await stage.visit(PHONE)
    await send(page, 'Read https://ferries.invalid/timetable')
    await untilAnswered(page)
    for (const name of ['Connections', 'Memory', 'Runs', 'Settings']) {
      await page.getByRole('button', { name: 'Open menu' }).tap()
      await shoot('menu')
      await page.getByRole('dialog').getByRole('link', { name }).tap()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await expectToFit(page)
      await shoot(name)
    }
    await page.getByRole('link', { name: /diagnostics/i }).tap()
    await page.getByText(/Everything works\.|needs? attention\./).waitFor()
    await expectToFit(page)
    await shoot('Diagnostics')

    await page.goto(new URL('/runs', stage.assistant.url).href)
    await page
      .getByRole('main')
      .getByRole('link', { name: /ferries/ })
      .first()
      .tap()
    await page.getByRole('tree').waitFor()
    await expectToFit(page)
    await shoot('a run')

    await page.goto(new URL('/connections', stage.assistant.url).href)
    await page.getByRole('button', { name: 'Add an MCP server' }).tap()
    await page.getByRole('dialog', { name: 'Add an MCP server' }).waitFor()
    await expectToFit(page)
    await shoot('add a server')

    await fillMemory(stage.assistant)
    await page.goto(new URL('/memory', stage.assistant.url).href)
    const item = page.getByRole('button', { name: 'Boiler serviced' })
    await item.waitFor()
    await expectToFit(page)
    await shoot('memory')
    await item.tap()
    await page.getByRole('dialog').getByText('Ask for Bo').waitFor()
    await expectToFit(page)
    await shoot('an item')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('tab', { name: /About you/ }).tap()
    await page.getByRole('button', { name: /^Edit: .*short/ }).waitFor()
    await expectToFit(page)
    await shoot('facts')

    await connectNotes(stage.assistant)
    await page.goto(new URL('/connections', stage.assistant.url).href)
    await page.getByRole('switch', { name: 'Sync into memory' }).tap()
    await page.getByText('Requests to the app').waitFor()
    await page.getByRole('button', { name: 'Limits' }).tap()
    await expectToFit(page)
    await shoot('what a sync needs')
    await page.getByRole('button', { name: 'Switch on' }).tap()
    await page.getByText(/^Synced/).waitFor()
    await expectToFit(page)
    await shoot('synced')

    await page.goto(new URL('/no/such/page', stage.assistant.url).href)
    await page.getByText('Page not found').first().waitFor()
    await expectToFit(page)
  })

  it('a schedule is added and run, and its job is seen', async () => {
    const { page, shoot } = await stage.visit({ ...PHONE, path: '/automations/schedules' })
    await page.getByText('Nothing runs by itself yet').waitFor()
    await expectToFit(page)
    await shoot('no schedules')
    await page.getByRole('button', { name: 'Add a schedule' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'What to do' }).fill('What time is it?')
    await dialog.getByRole('combobox', { name: 'How often' }).selectOption({ value: 'weekly' })
    await dialog.getByRole('checkbox', { name: 'Wednesday' }).tap()
    await dialog.getByText('Every Monday and Wednesday at 08:00').waitFor()
    await dialog.getByRole('button', { name: 'More settings' }).tap()
    await expectToFit(page)
    await shoot('add a schedule')
    await dialog.getByRole('button', { name: 'Add a schedule' }).tap()
    const schedule = page.getByRole('article', { name: 'What time is it?' })
    await schedule.getByRole('button', { name: 'Run now' }).tap()
    await schedule.getByText('Done', { exact: true }).waitFor()
    await schedule.getByRole('button', { name: 'History' }).tap()
    await schedule.getByText('Started by you').waitFor()
    await expectToFit(page)
    await shoot('schedules')
    await page.getByRole('tab', { name: 'Jobs' }).tap()
    await page.getByRole('button', { name: 'End for good' }).waitFor()
    await expectToFit(page)
    await shoot('jobs')
    await page.goto(stage.assistant.url)
    await send(page, 'Every weekday at eight, tell me what time it is')
    await approvalCard(page).getByText('Monday to Friday at 08:00').waitFor()
    await expectToFit(page)
    await shoot('proposal')
  })
})
