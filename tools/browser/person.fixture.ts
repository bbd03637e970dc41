import type { Locator, Page } from 'playwright-core'
import type { RunningAssistant } from './assistant.fixture.ts'
import { notesUrl } from './connect-notes.ts'
import { soon } from './stage.fixture.ts'

// What a person does and looks at, found as a screen reader would find it.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

export async function send(page: Page, words: string): Promise<void> {
  await composer(page).fill(words)
  await composer(page).press('Enter')
}

export const said = (page: Page): Locator => page.getByRole('article', { name: 'You', exact: true })
export const answers = (page: Page): Locator => page.getByRole('article', { name: 'Assistant', exact: true })
export const lastAnswer = (page: Page): Locator => answers(page).last()

/** Until this many turns are over. */
export async function untilAnswered(page: Page, count = 1): Promise<Locator> {
  await soon(async () => {
    const busy = await answers(page).evaluateAll((all) => all.map((one) => one.ariaBusy === 'true'))
    return busy.length >= count && busy.every((isBusy) => !isBusy)
  }).toBe(true)
  return lastAnswer(page)
}

/** Until the turn is over and its answer stands there: words are drawn when nobody types, so a little after they came. */
export async function untilItSays(page: Page, words: string | RegExp, count = 1): Promise<Locator> {
  const answer = await untilAnswered(page, count)
  await soon(() => answer.innerText()).toMatch(words)
  return answer
}

/** The line under an answer that opens what was done for it. */
const processing = (answer: Locator): Locator => answer.getByRole('button', { name: /^View processing/ })

export async function openProcessing(answer: Locator): Promise<void> {
  await processing(answer).click()
}

/** The question whether something may be done. */
export const approvalCard = (page: Page): Locator => page.getByRole('region', { name: /^May I do this\?/ })

export async function allowOnce(page: Page): Promise<void> {
  await approvalCard(page).getByRole('button', { name: 'Allow once' }).click()
}

/** The row of a call, by what stands in its line. */
export const callRow = (answer: Locator, label: string | RegExp): Locator =>
  answer.getByRole('button', { name: label })

export const threadIdOf = (page: Page): string => /\/t\/([^/]+)/.exec(new URL(page.url()).pathname)?.[1] ?? ''

/** The titles in the notebook that was connected, read in the Notes app itself. */
export async function notebookTitles(page: Page, assistant: RunningAssistant): Promise<readonly string[]> {
  await page.goto(notesUrl(assistant))
  const open = page.getByRole('button', { name: /Ada/ })
  if (await open.isVisible()) await open.click()
  await page.getByRole('heading', { name: 'Connected apps' }).waitFor()
  return page.getByRole('main').getByRole('link').allInnerTexts()
}
