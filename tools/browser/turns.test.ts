import { describe, expect, it } from 'vitest'
import {
  answers,
  callRow,
  composer,
  lastAnswer,
  openProcessing,
  userMessages,
  send,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

describe('a turn that does not end with an answer', () => {
  const stage = openStage()

  it('is halted when it makes no progress, shows why, and can be tried again', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Show me a loop')
    const answer = await untilAnswered(page)
    await answer.getByText('Stopped because it made no progress').waitFor()
    await shoot('halted')
    await answer.getByText('Why', { exact: true }).first().waitFor()
    await answer.getByRole('button', { name: 'Try again' }).first().click()
    await soon(() => answers(page).count()).toBe(2)
    await untilAnswered(page, 2)
  })

  it('is paused at its limit and continues to the end on request', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Walk the Meridian')
    const first = await untilAnswered(page)
    await first.getByText('Paused at a limit').waitFor()
    await shoot('paused')
    await first.getByRole('button', { name: 'Continue' }).click()
    await soon(() => answers(page).count()).toBe(2)
    const second = await untilAnswered(page, 2)
    await second.getByRole('table').waitFor()
    expect(await second.getByRole('row').count()).toBe(19)
    await shoot('done')
    expect(await first.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    expect(await userMessages(page).count()).toBe(1)
  })

  it('asks a question that one press answers', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Ask me something')
    const answer = await untilAnswered(page)
    await answer.getByText('Waiting for your answer').waitFor()
    await shoot('question')
    expect(await composer(page).getAttribute('placeholder')).toBe('Your answer')
    await answer.getByRole('button', { name: 'By ferry' }).click()
    await soon(() => userMessages(page).count()).toBe(2)
    await untilAnswerContains(page, 'You chose: By ferry', 2)
  })

  it('asks a question that any text answers', async () => {
    const { page } = await stage.visit()
    await send(page, 'Ask me something')
    await (await untilAnswered(page)).getByText('Waiting for your answer').waitFor()
    await send(page, 'By balloon')
    await soon(() => lastAnswer(page).innerText()).toContain('You chose: By balloon')
  })
})

describe('while a turn runs', () => {
  const stage = openStage({ pace: 'calm' })

  it('Stop ends it and keeps the text so far', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Show me Markdown')
    await lastAnswer(page).getByRole('table').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    const answer = await untilAnswered(page)
    await answer.getByText('You stopped this.').waitFor()
    await shoot('stopped')
    expect(await answer.innerText()).toContain('What an answer can hold')
    expect(await answer.innerText()).not.toContain('And a quotation')
  })

  it('an added message reaches it', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Walk the Meridian')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await composer(page).fill('and tell me about Lima')
    await page.getByRole('button', { name: /^Add to this turn/ }).click()
    await openProcessingOf(lastAnswer(page))
    await lastAnswer(page).getByText('You added: and tell me about Lima').waitFor()
    await soon(() => userMessages(page).last().innerText()).toContain('Added while the assistant worked')
    await shoot('added')
    expect(await userMessages(page).count()).toBe(1)
    await composer(page).press('Escape')
    await lastAnswer(page).getByText('You stopped this.').waitFor()
  })

  it('a follow-up becomes the next turn', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Show me Markdown')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await composer(page).fill('What time is it?')
    await page.getByRole('button', { name: /^Send after this turn/ }).click()
    await page.getByText('Waiting for this turn to end').waitFor()
    await shoot('waits')
    await soon(() => answers(page).count()).toBe(2)
    expect(await answers(page).first().innerText()).toContain('And a quotation')
    await untilAnswerContains(page, /It is \d\d:\d\d/, 2)
    expect(await userMessages(page).count()).toBe(2)
    await shoot('next turn')
  })

  it('a follow-up does not wait forever when the turn is stopped', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Walk the Meridian')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await composer(page).fill('What time is it?')
    await page.getByRole('button', { name: /^Send after this turn/ }).click()
    await page.getByText('Waiting for this turn to end').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('You stopped this.').waitFor()
    await soon(() => page.getByText('Waiting for this turn to end').count()).toBe(0)
    await shoot('stopped')
  })

  it('what later messages do is chosen below the message box', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'What time is it?')
    await untilAnswered(page)
    const place = await composer(page).boundingBox()
    await send(page, 'Show me Markdown')
    const choice = page.getByRole('combobox', { name: 'Messages sent after this turn' })
    await choice.selectOption('collect')
    expect((await composer(page).boundingBox())?.y).toBe(place?.y)
    for (const text of ['What time is it?', 'And what time is it there?']) {
      await composer(page).fill(text)
      await page.getByRole('button', { name: /^Send after this turn.*together/ }).click()
    }
    await soon(() => page.getByText('Waiting for this turn to end').count()).toBe(2)
    await shoot('both wait')
    await soon(() => answers(page).count()).toBe(3)
    await untilAnswerContains(page, /It is \d\d:\d\d/, 3)
    await soon(() => userMessages(page).count()).toBe(3)
    const second = await userMessages(page).last().innerText()
    expect(second).toContain('What time is it?')
    expect(second).toContain('And what time is it there?')
    await shoot('one turn')

    await send(page, 'Walk the Meridian')
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    expect(await choice.inputValue()).toBe('collect')
    await choice.selectOption('interrupt')
    await composer(page).fill('What time is it?')
    await page.getByRole('button', { name: /^Stop this turn and send/ }).click()
    await page.getByText('You stopped this.').waitFor()
    await untilAnswerContains(page, /It is \d\d:\d\d/, 5)
  })

  async function openProcessingOf(answer: ReturnType<typeof lastAnswer>): Promise<void> {
    const isOver = (await answer.getByRole('button', { name: /^View processing/ }).count()) > 0
    if (isOver) await openProcessing(answer)
    else await answer.getByRole('button', { expanded: false }).first().click()
    await callRow(answer, /clock|time/i)
      .first()
      .waitFor()
  }
})
