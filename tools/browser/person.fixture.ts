import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionRow, SignInReply } from '@capstan/protocol'
import { openAuth } from '@capstan/server'
import type { Locator, Page } from 'playwright-core'
import { createBrowser } from '../../examples/notes-app/src/testing/browser.ts'
import type { RunningAssistant } from './assistant.fixture.ts'
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

/** The line under an answer that opens what was done for it. */
export const processing = (answer: Locator): Locator =>
  answer.getByRole('button', { name: /^View processing/ })

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

/** Where the Notes app of this assistant is. */
export const notesUrl = ({ home }: RunningAssistant): string =>
  `http://127.0.0.1:${readFileSync(join(home, 'notes-app', 'port'), 'utf8').trim()}`

/** Connects Notes without a browser, for tests that begin later in the story. */
export async function connectNotes(assistant: RunningAssistant): Promise<void> {
  const { id } = await assistant.ask<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })
  const reply = await assistant.ask<SignInReply>('POST', `/api/connections/${id}/sign-in`)
  if (reply.type !== 'visit') throw new Error(`no page to sign in: ${reply.type}`)
  const browser = createBrowser(notesUrl(assistant))
  await browser.open(reply.url)
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error(`still at the consent page: ${back.status}`)
  const { token } = openAuth({ folder: assistant.home })
  const response = await fetch(back.to, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`the sign-in was refused: ${response.status}`)
}

/** The titles in the notebook that was connected, read in the Notes app itself. */
export async function notebookTitles(page: Page, assistant: RunningAssistant): Promise<readonly string[]> {
  await page.goto(notesUrl(assistant))
  const open = page.getByRole('button', { name: /Ada/ })
  if (await open.isVisible()) await open.click()
  await page.getByRole('heading', { name: 'Connected apps' }).waitFor()
  return page.getByRole('main').getByRole('link').allInnerTexts()
}
