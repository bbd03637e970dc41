import { beforeEach, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import { approvalCard, lastAnswer, send, untilAnswerContains } from './fixtures/person.fixture.ts'
import { openStage } from './fixtures/stage.fixture.ts'

const stage = openStage()
beforeEach(() => connectNotes(stage.assistant))

const HELD = 'Answered. Held until everything is released'

it('an approval that is answered while everything is stopped is held, also after a reload, until the release', async () => {
  const { page, shoot } = await stage.visit()
  await send(page, 'Save to my Notes: rye flour')
  await approvalCard(page).waitFor()
  await page.getByRole('button', { name: 'Stop everything' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click()
  await page.getByText('Everything is stopped.').waitFor()
  await shoot('stopped')
  await approvalCard(page).getByRole('button', { name: 'Allow once' }).click()
  await lastAnswer(page).getByText(HELD).first().waitFor()
  expect(await lastAnswer(page).innerText()).not.toContain('Waiting for you')
  await shoot('answered')
  await page.reload()
  await lastAnswer(page).getByText(HELD).first().waitFor()
  expect(await approvalCard(page).count()).toBe(0)
  expect(await lastAnswer(page).innerText()).toContain('Allowed once')
  for (const [language, theme] of [
    ['ar', 'dark'],
    ['de', 'light'],
  ] as const) {
    await stage.assistant.change({ language, theme })
    await page.setViewportSize(language === 'ar' ? { width: 390, height: 844 } : { width: 1280, height: 800 })
    await page.locator(`html[lang="${language}"]`).waitFor()
    await shoot(`in ${language}`)
  }
  await stage.assistant.change({ language: '' })
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await untilAnswerContains(page, 'It is in your Notes.')
  expect(await lastAnswer(page).innerText()).not.toContain('Held')
})
