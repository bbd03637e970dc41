import type { TurnEvent } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { failures as arabic } from '../../packages/web/src/i18n/ar/failures.ts'
import { failures as german } from '../../packages/web/src/i18n/de/failures.ts'
import { failures as english } from '../../packages/web/src/i18n/en/failures.ts'
import { connectNotes } from './fixtures/connect-notes.ts'
import {
  allowOnce,
  callRow,
  openProcessing,
  send,
  threadIdOf,
  untilAnswered,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

const language = (page: Page): Locator =>
  page.getByRole('combobox').filter({ has: page.getByRole('option', { name: 'Deutsch' }) })
const mainText = (page: Page): Promise<string> => page.getByRole('main').innerText()

describe('a failure', () => {
  it('shows why and what to do next in the language of the reader, changed without a reload', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Read https://ferries.invalid/timetable')
    const answer = await untilAnswered(page)
    await openProcessing(answer)
    await callRow(answer, /ferries\.invalid/).waitFor()
    const shown = await answer.innerText()
    const { failure } = (await stage.assistant.events(threadIdOf(page))).find(
      (event) => event.type === 'tool-end' && event.failure !== undefined,
    ) as Extract<TurnEvent, { type: 'tool-end' }>
    const kind = failure!.class
    // The turn is over: nothing is retried by itself.
    const textsOf = ({ why, next, classes, ended }: typeof german) => [
      why,
      next,
      classes[kind].why,
      ended.later,
    ]
    for (const words of textsOf(english)) expect(shown).toContain(words)
    await answer.getByRole('button', { name: english.buttons.retry }).first().waitFor()
    await shoot('English')

    await page.evaluate('window.isTheSamePage = true')
    for (const [name, words, direction] of [
      ['Deutsch', german, 'ltr'],
      ['العربية', arabic, 'rtl'],
    ] as const) {
      await page.getByRole('navigation').last().getByRole('link').last().click()
      await language(page).selectOption({ label: name })
      await soon(() => page.evaluate('document.documentElement.dir')).toBe(direction)
      await page.goBack()
      await page.getByRole('main').getByRole('button', { expanded: false }).first().click()
      await soon(() => mainText(page)).toContain(words.why)
      for (const line of textsOf(words)) expect(await mainText(page)).toContain(line)
      await page.getByRole('main').getByRole('button', { name: words.buttons.retry }).first().waitFor()
      await shoot(name)
    }
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
    expect(await page.evaluate('document.documentElement.lang')).toBe('ar')
    const [pages, main] = await Promise.all([
      page.getByRole('navigation').last().boundingBox(),
      page.getByRole('main').boundingBox(),
    ])
    // The sidebar is on the other side.
    expect(pages!.x).toBeGreaterThanOrEqual(main!.x + main!.width - 1)
  })

  it('of an app that is not connected has a button that connects the app', async () => {
    const { page, context, shoot } = await stage.visit()
    await send(page, 'What is in my Notes?')
    await page.getByRole('button', { name: 'Not now' }).click()
    const answer = await untilAnswered(page)
    await openProcessing(answer)
    await shoot('declined')
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      answer.getByRole('button', { name: 'Connect', exact: true }).first().click(),
    ])
    await popup.getByRole('button', { name: 'Allow' }).click()
    await answer
      .getByText(/notes is connected/i)
      .first()
      .waitFor()
  })

  it('of a busy service stands under the answer and can be tried again with one press', async () => {
    await connectNotes(stage.assistant)
    const { page, shoot } = await stage.visit()
    await page.getByRole('button', { name: /^See a failure explained/ }).click()
    await allowOnce(page)
    const answer = await untilAnswered(page)
    await answer.getByText(english.classes.rate_limited.why).first().waitFor()
    await shoot('Tidewater')
    await answer.getByRole('button', { name: english.buttons.retry }).first().click()
    await allowOnce(page)
    await untilAnswered(page, 2)
  })
})
