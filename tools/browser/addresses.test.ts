import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import { answers, callRow, openProcessing, send, untilAnswered } from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

describe('the address', () => {
  it('of a call opens the conversation at that call, opened and marked', async () => {
    await connectNotes(stage.assistant)
    const { page, context, shoot } = await stage.visit()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await send(page, 'What is in my Notes?')
    const answer = await untilAnswered(page)
    await openProcessing(answer)
    await callRow(answer, /list.pages/).click()
    await answer.getByRole('button', { name: 'Copy link to this step' }).click()
    await page.getByText('Link copied').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toContain('/call/')
    for (let turns = 0; turns < 6; turns++) {
      await send(page, 'Show me Markdown')
      await untilAnswered(page)
    }

    const other = await context.newPage()
    await other.goto(link)
    const linked = callRow(answers(other).first(), /list.pages/)
    await linked.waitFor()
    await soon(() => linked.getAttribute('aria-expanded')).toBe('true')
    await soon(() => isInView(linked)).toBe(true)
    const isMarked = (row: Locator): Promise<boolean> =>
      row.evaluate((element) => element.closest('li')?.hasAttribute('data-linked') ?? false)
    expect(await isMarked(linked)).toBe(true)
    expect(await isMarked(callRow(answers(other).first(), /integrations/).first())).toBe(false)
    await shoot('linked', other)
  })

  it('of an unknown page shows "not found" and a link to the start', async () => {
    const { page, shoot } = await stage.visit({ path: '/no/such/page' })
    await page.getByRole('heading', { name: 'Page not found' }).first().waitFor()
    await shoot('not found')
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  })

  it('of an unknown conversation shows that it does not exist', async () => {
    const visit = await stage.visit()
    visit.expectComplaint(/404/)
    const { page, shoot } = visit
    await page.goto(new URL('/t/thread_unknown', stage.assistant.url).href)
    await page.getByText('This conversation does not exist or was deleted.').waitFor()
    await shoot('unknown thread')
    await page.goto(new URL('/runs/run_unknown', stage.assistant.url).href)
    await page.getByText('There is no such run').waitFor()
    await shoot('unknown run')
  })

  it('of a login link works once; the second time the page explains how to get another', async () => {
    const first = await stage.visit({ isStranger: true, path: stage.assistant.printedLink })
    await first.shoot('login page')
    await first.page.getByRole('button', { name: 'Log in' }).click()
    await first.page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    expect(first.page.url()).not.toContain('ticket')

    const second = await stage.visit({ isStranger: true, path: stage.assistant.printedLink })
    second.expectComplaint(/401|WebSocket connection to/)
    const main = second.page.getByRole('main')
    await main.getByText(/link/i).first().waitFor()
    await second.shoot('expired link')
    const words = await main.innerText()
    expect(words).toMatch(/expired|used|old|works once|no longer/i)
    expect(words).toContain('capstan login')
  })

  it('of any page shows only how to log in to a visitor without a login', async () => {
    const visit = await stage.visit({ isStranger: true, path: '/settings' })
    visit.expectComplaint(/401|WebSocket connection to/)
    await visit.page.getByRole('main').getByText('You are signed out.').first().waitFor()
    await visit.shoot('stranger')
    expect(await visit.page.getByRole('main').innerText()).toContain('capstan login')
  })
})

const isInView = (locator: ReturnType<typeof callRow>): Promise<boolean> =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight
  })
