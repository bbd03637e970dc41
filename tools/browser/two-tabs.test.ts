import { describe, expect, it } from 'vitest'
import {
  allowOnce,
  answers,
  approvalCard,
  userMessages,
  send,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

describe('two tabs', () => {
  it('on one thread show the same, and a message sent in one appears in the other', async () => {
    const { page, context, shoot } = await stage.visit()
    await send(page, 'What time is it?')
    await untilAnswered(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await untilAnswered(other)
    await send(other, 'Show me Markdown')
    await soon(() => userMessages(page).count()).toBe(2)
    await soon(() => answers(page).count()).toBe(2)
    await Promise.all([page, other].map((tab) => untilAnswerContains(tab, 'And a quotation', 2)))
    const words = (tab: typeof page): Promise<string> =>
      tab.getByRole('region', { name: 'Messages' }).innerText()
    await soon(() => words(page)).toBe(await words(other))
    await shoot('one')
    await shoot('other', other)
  })

  it('list the same conversations after a rename or a deletion in either', async () => {
    const { page, context, shoot } = await stage.visit()
    const other = await context.newPage()
    await other.goto(stage.assistant.url)
    await send(page, 'What time is it?')
    const list = other.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('link', { name: 'What time is it?' }).waitFor()
    await page.getByRole('button', { name: 'More for What time is it?' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'New title' }).fill('The time')
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'The time' }).waitFor()
    await shoot('renamed', other)
  })

  it('share a sign-in: an app connected in one continues the turn in the other', async () => {
    const { page, context, shoot } = await stage.visit()
    await page.getByRole('button', { name: /^Connect an app/ }).click()
    const card = page.getByRole('region', { name: 'Connect Notes' })
    await card.getByRole('button', { name: 'Connect Notes' }).waitFor()
    const other = await context.newPage()
    await other.goto(new URL('/connections', stage.assistant.url).href)
    const [consent] = await Promise.all([
      context.waitForEvent('page'),
      other.getByRole('button', { name: 'Connect another account' }).click(),
    ])
    await consent.getByRole('button', { name: 'Allow' }).click()
    await approvalCard(page).waitFor()
    await shoot('goes on')
    expect(await page.getByText('You did not connect Notes.').count()).toBe(0)
    await allowOnce(page)
    await untilAnswerContains(page, 'It is in your Notes.')
    expect(await page.getByText('You did not connect Notes.').count()).toBe(0)
  })

  it('are both signed out when one is, and show it', async () => {
    const visit = await stage.visit()
    const { page, context, shoot } = visit
    visit.expectComplaint(/401|WebSocket connection to/)
    await send(page, 'What time is it?')
    await untilAnswered(page)
    const other = await context.newPage()
    await other.goto(new URL('/settings', stage.assistant.url).href)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').first().waitFor()
    await shoot('signed out elsewhere')
    expect(await page.getByText('capstan login').count()).toBeGreaterThan(0)
    await other.getByText('You are signed out.').first().waitFor()
    await shoot('signed out', other)
    // The content on the screen stays; nothing more can be loaded.
    expect(await answers(page).count()).toBe(1)
  })
})
