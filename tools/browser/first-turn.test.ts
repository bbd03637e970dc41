import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  allowOnce,
  answers,
  approvalCard,
  callRow,
  notebookTitles,
  openProcessing,
  userMessages,
  send,
  threadIdOf,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage } from './fixtures/stage.fixture.ts'

const stage = openStage()

const PACKING = 'Packing for Sandholm'
const connect = (page: Page) => page.getByRole('button', { name: 'Connect Notes' })

describe('the first turn', () => {
  it('connects an app during the turn, asks for approval, writes the page, and shows every step', async () => {
    const { page, context, shoot } = await stage.visit()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await shoot('welcome')
    await page.getByRole('button', { name: /^Connect an app/ }).click()
    await connect(page).waitFor()
    await shoot('connect card')

    const [popup] = await Promise.all([context.waitForEvent('page'), connect(page).click()])
    await popup.getByRole('heading', { name: /wants to use your Notes/ }).waitFor()
    await shoot('consent', popup)
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click()
    await closed

    await approvalCard(page).waitFor()
    expect(await approvalCard(page).innerText()).toContain(`"title": "${PACKING}"`)
    await shoot('approval')
    await allowOnce(page)

    const answer = await untilAnswerContains(page, 'It is in your Notes.')
    expect(await userMessages(page).count()).toBe(1)
    expect(await answers(page).count()).toBe(1)
    await openProcessing(answer)
    await callRow(answer, /create.page/).waitFor()
    expect(await answer.getByText('Notes connected, ready to use').count()).toBe(1)
    await shoot('timeline')

    const events = await stage.assistant.events(threadIdOf(page))
    expect(events.filter(({ type }) => type === 'turn-start' || type === 'turn-end').at(-1)).toMatchObject({
      type: 'turn-end',
      outcome: { type: 'done' },
    })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))

    const notebook = await context.newPage()
    expect(
      (await notebookTitles(notebook, stage.assistant)).filter((title) => title.includes(PACKING)),
    ).toHaveLength(1)
    await shoot('the page in Notes', notebook)
  })

  it('offers a link when the browser blocks windows, and continues after the sign-in', async () => {
    const { page, context, shoot } = await stage.visit()
    await page.evaluate('window.open = () => null')
    await send(page, 'Save the packing list for Sandholm to my Notes')
    await connect(page).click()
    const link = page.getByRole('link', { name: 'Open the sign-in page of Notes' })
    await link.waitFor()
    await shoot('blocked')
    const [signIn] = await Promise.all([context.waitForEvent('page'), link.click()])
    await signIn.getByRole('button', { name: 'Allow' }).click()
    await allowOnce(page)
    await untilAnswerContains(page, 'It is in your Notes.')
  })

  it('reports that the person declined the consent, and lets them try again', async () => {
    const { page, context, shoot } = await stage.visit()
    await send(page, 'Save the packing list for Sandholm to my Notes')
    const [first] = await Promise.all([context.waitForEvent('page'), connect(page).click()])
    await first.getByRole('button', { name: 'Cancel' }).click()
    await first.getByRole('heading', { name: 'Not connected' }).waitFor()
    await shoot('after cancel', first)
    await first.close()
    const answer = await untilAnswerContains(page, 'nothing was written')
    const card = answer.getByRole('region', { name: 'Connect Notes' })
    await card.getByText('You did not connect Notes.').waitFor()
    await shoot('card after cancel')

    const [second] = await Promise.all([
      context.waitForEvent('page'),
      card.getByRole('button', { name: 'Try again' }).click(),
    ])
    await second.getByRole('button', { name: 'Allow' }).click()
    await card.getByText('Notes is connected').waitFor()
    await shoot('connected at the second try')
    await card.getByRole('button', { name: 'Ask again' }).click()
    await allowOnce(page)
    await untilAnswerContains(page, 'It is in your Notes.', 2)
  })

  it('runs two sub-agents in parallel and shows the steps of each', async () => {
    const { page, context, shoot } = await stage.visit()
    await page.getByRole('button', { name: /^Watch two helpers work/ }).click()
    const [popup] = await Promise.all([context.waitForEvent('page'), connect(page).click()])
    await popup.getByRole('button', { name: 'Allow' }).click()
    const answer = await untilAnswered(page)
    await answer.getByRole('heading', { name: 'Almanac' }).waitFor()
    await openProcessing(answer)
    await answer.getByRole('button', { name: /^Helper: researcher/ }).waitFor()
    await answer.getByRole('button', { name: /^Helper: planner/ }).waitFor()
    await shoot('two helpers')
  })
})
