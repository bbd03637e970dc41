import { beforeEach, describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import { hasFocus, tabTo } from './fixtures/focus.fixture.ts'
import {
  approvalCard,
  composer,
  lastAnswer,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()
beforeEach(() => connectNotes(stage.assistant))

describe('by keyboard', () => {
  it('a person writes, opens the timeline, answers an approval, and goes to Settings and back', async () => {
    const { page, shoot } = await stage.visit()
    await soon(() => hasFocus(composer(page))).toBe(true)
    await page.keyboard.type('Save to my Notes: rye flour')
    await page.keyboard.press('Enter')
    await approvalCard(page).waitFor()
    await tabTo(page, approvalCard(page), 'Shift+Tab')
    await shoot('at the question')
    const allow = approvalCard(page).getByRole('button', { name: 'Allow once' })
    await tabTo(page, allow)
    await page.keyboard.press('Enter')
    const answer = await untilAnswerContains(page, 'It is in your Notes.')

    const processing = answer.getByRole('button', { name: /^View processing/ })
    await tabTo(page, processing, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const row = answer.getByRole('button', { name: /create.page/ })
    await tabTo(page, row)
    await page.keyboard.press('Space')
    await answer.getByText('Output', { exact: true }).waitFor()
    await shoot('a step')

    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const readOnly = page.getByRole('radio', { name: /^Read only/ })
    const supervised = page.getByRole('radio', { name: /^Ask me first/ })
    await tabTo(page, supervised)
    await page.keyboard.press('ArrowUp')
    await soon(() => readOnly.isChecked()).toBe(true)
    await shoot('settings')
    const conversations = page.getByRole('navigation', { name: 'Conversations' })
    await tabTo(page, conversations.getByRole('link', { name: /^Save to my Notes/ }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await lastAnswer(page).waitFor()
  })

  it('? shows every shortcut, and Escape returns the focus', async () => {
    const { page, shoot } = await stage.visit({ path: '/settings' })
    const link = page.getByRole('link', { name: 'Runs' })
    await link.focus()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.waitFor()
    await shoot('help sheet')
    expect(await sheet.innerText()).toContain('Search conversations')
    await page.keyboard.press('Escape')
    await soon(() => sheet.count()).toBe(0)
    expect(await hasFocus(link)).toBe(true)
  })

  it('Ctrl+K finds a conversation by a word in it, and Enter opens it', async () => {
    const { page, shoot } = await stage.visit()
    await soon(() => hasFocus(composer(page))).toBe(true)
    await page.keyboard.type('Show me Markdown')
    await page.keyboard.press('Enter')
    await untilAnswered(page)
    const { pathname } = new URL(page.url())
    await page.keyboard.press('Control+Shift+O')
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await soon(() => hasFocus(composer(page))).toBe(true)

    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search for' })
    await soon(() => hasFocus(field)).toBe(true)
    await page.keyboard.press('Escape')
    await soon(() => hasFocus(composer(page))).toBe(true)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('quotation')
    await page.getByRole('option').first().waitFor()
    await shoot('found')
    await page.keyboard.press('Enter')
    await soon(() => new URL(page.url()).pathname).toBe(pathname)
    await untilAnswered(page)
  })

  it('the first Tab offers to skip to the content', async () => {
    const { page } = await stage.visit({ path: '/runs' })
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await page.keyboard.press('Tab')
    expect(await hasFocus(skip)).toBe(true)
    expect(await skip.isVisible()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await hasFocus(page.getByRole('main'))).toBe(true)
  })
})
