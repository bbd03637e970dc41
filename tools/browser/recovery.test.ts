import { describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import {
  answers,
  approvalCard,
  composer,
  lastAnswer,
  openProcessing,
  userMessages,
  send,
  threadIdOf,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import type { Visit } from './fixtures/stage.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage({ pace: 'calm' })

const SHOWCASE_ENDS = 'And a quotation'
const lost = ({ page }: Visit) => page.getByText('The connection was lost. Looking for Capstan…')

/** Every event once, in order, and the same on the screen as in the store. */
async function expectWhole({ page }: Visit): Promise<void> {
  await lastAnswer(page).getByText(SHOWCASE_ENDS).first().waitFor()
  expect(await userMessages(page).count()).toBe(1)
  expect(await answers(page).count()).toBe(1)
  expect(await lastAnswer(page).getByRole('heading', { name: 'What an answer can hold' }).count()).toBe(1)
  expect(await lastAnswer(page).getByRole('row').count()).toBe(3)
  expect(await lastAnswer(page).getByText(SHOWCASE_ENDS).count()).toBe(1)
  const events = await stage.assistant.events(threadIdOf(page))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done' } })
}

describe('the page', () => {
  it('recovers when the server is killed during a turn and restarted, and the turn ends', async () => {
    const visit = await stage.visit()
    const { page, shoot } = visit
    visit.expectComplaint(
      /ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/,
    )
    await send(page, 'Show me Markdown')
    await lastAnswer(page).getByRole('table').waitFor()
    await stage.assistant.kill()
    await lost(visit).waitFor()
    await composer(page).fill('a half-written thought')
    await shoot('the server is gone')
    await stage.assistant.restart()
    await soon(() => lost(visit).count()).toBe(0)
    const answer = await untilAnswered(page)
    await answer.getByText(SHOWCASE_ENDS).waitFor()
    expect(await composer(page).inputValue()).toBe('a half-written thought')
    await expectWhole(visit)
    await openProcessing(answer)
    await answer.getByText('Interrupted and resumed.').waitFor()
    await shoot('recovered')
  })

  it('misses no event after it was offline for a moment', async () => {
    const visit = await stage.visit()
    const { page, context, shoot } = visit
    visit.expectComplaint(/ERR_INTERNET_DISCONNECTED|WebSocket connection to/)
    await send(page, 'Show me Markdown')
    await lastAnswer(page).getByRole('heading', { name: 'What an answer can hold' }).waitFor()
    await context.setOffline(true)
    await lost(visit).waitFor()
    await shoot('offline')
    await context.setOffline(false)
    await soon(() => lost(visit).count()).toBe(0)
    await untilAnswered(page)
    await expectWhole(visit)
  })

  it('sends a message written while offline once', async () => {
    const visit = await stage.visit()
    const { page, context, shoot } = visit
    visit.expectComplaint(/ERR_INTERNET_DISCONNECTED|WebSocket connection to/)
    await send(page, 'What time is it?')
    await untilAnswered(page)
    await context.setOffline(true)
    await send(page, 'And what time is it now?')
    await page.getByText('Not sent yet. Trying again').waitFor()
    await shoot('not sent yet')
    await context.setOffline(false)
    await soon(() => answers(page).count()).toBe(2)
    await untilAnswered(page, 2)
    expect(await userMessages(page).count()).toBe(2)
  })

  it('shows the same after a reload as before: during a turn, at a question and at the end', async () => {
    await connectNotes(stage.assistant)
    const visit = await stage.visit()
    const { page, shoot } = visit
    await send(page, 'Show me Markdown')
    await lastAnswer(page).getByRole('table').waitFor()
    await page.reload()
    await untilAnswered(page)
    await expectWhole(visit)

    await send(page, 'Save to my Notes: rye flour')
    await approvalCard(page).waitFor()
    const read = async (): Promise<string> =>
      (await page.getByRole('region', { name: 'Messages' }).innerText())
        // The countdown of the question changes.
        .replaceAll(/Expires in .*/g, '')
    await lastAnswer(page).getByText('I will write').waitFor()
    const asked = await read()
    await page.reload()
    await approvalCard(page).waitFor()
    await soon(read).toBe(asked)
    await shoot('asked, after a reload')

    await approvalCard(page).getByRole('button', { name: 'Deny' }).click()
    await openProcessing(await untilAnswerContains(page, 'It was not done.', 2))
    await lastAnswer(page).getByText('Helper: integrations agent').waitFor()
    const ended = await read()
    await page.reload()
    await openProcessing(await untilAnswered(page, 2))
    await soon(read).toBe(ended)
    await shoot('ended, after a reload')
  })
})
