import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import {
  approvalCard,
  callRow,
  openProcessing,
  send,
  threadIdOf,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()
beforeEach(() => connectNotes(stage.assistant))

const ASK = 'Save to my Notes: rye flour and <b>salt</b>'
const requestsIn = async (page: Page): Promise<number> =>
  (await stage.assistant.events(threadIdOf(page))).filter(({ type }) => type === 'approval-request').length

describe('an approval', () => {
  it('shows the exact arguments, the app and the time left', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, ASK)
    await approvalCard(page).waitFor()
    await shoot('card')
    const shown = await approvalCard(page).innerText()
    expect(shown).toContain(
      JSON.stringify({ title: 'rye flour and <b>salt</b>', text: 'rye flour and <b>salt</b>' }, null, 2),
    )
    expect(shown).toContain('create_page')
    expect(shown).toMatch(/where\s+notes/i)
    expect(shown).toMatch(/Expires in \d/)
    // Text of a model is shown as text and never becomes HTML.
    expect(await approvalCard(page).getByRole('strong').count()).toBe(0)
  })

  it('is given once by keyboard', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, ASK)
    await approvalCard(page).waitFor()
    await approvalCard(page).focus()
    await page.keyboard.press('a')
    const answer = await untilAnswerContains(page, 'It is in your Notes.')
    await openProcessing(answer)
    await answer.getByText('Allowed once').waitFor()
    await shoot('allowed')
    await send(page, ASK)
    await approvalCard(page).waitFor()
    expect(await requestsIn(page)).toBe(2)
  })

  it('that is denied is reported in the answer and not tried again', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, ASK)
    await approvalCard(page).getByRole('button', { name: 'Deny' }).click()
    const answer = await untilAnswerContains(page, 'It was not done.')
    expect(await answer.innerText()).not.toContain('It is in your Notes')
    await openProcessing(answer)
    await callRow(answer, /create.page/).waitFor()
    // The call says it, and the delegation around it, which is not done either.
    expect(await answer.getByText('You said no to this.').count()).toBe(2)
    await shoot('denied')
    expect(await requestsIn(page)).toBe(1)
  })

  it('that is given for always is not asked again until it is removed in Settings', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, ASK)
    await approvalCard(page).getByRole('button', { name: 'Always allow' }).click()
    await untilAnswered(page)
    await send(page, ASK)
    await untilAnswered(page, 2)
    expect(await requestsIn(page)).toBe(1)

    await page.getByRole('link', { name: 'Settings' }).click()
    const takeBack = page.getByRole('button', { name: /^Ask again for .*create_page/ })
    await takeBack.waitFor()
    await shoot('always allowed')
    await takeBack.click()
    await page.getByText('Nothing runs without asking.').waitFor()
    await page.goBack()
    await send(page, ASK)
    await approvalCard(page).waitFor()
    expect(await requestsIn(page)).toBe(2)
  })

  it('that is answered in one tab disappears in both', async () => {
    const { page, context, shoot } = await stage.visit()
    await send(page, ASK)
    await approvalCard(page).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await approvalCard(other).getByRole('button', { name: 'Allow once' }).click()
    await soon(() => approvalCard(page).count()).toBe(0)
    await untilAnswerContains(page, 'It is in your Notes.')
    await shoot('answered elsewhere')
    await untilAnswered(other)
    expect(await approvalCard(other).count()).toBe(0)
    expect(await requestsIn(page)).toBe(1)
  })
})
