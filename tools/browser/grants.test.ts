import type { ConnectionRow, McpServerRow } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Act, ModelRequest } from './fixtures/acting-model.fixture.ts'
import { startActingModel } from './fixtures/acting-model.fixture.ts'
import { startMailApp } from './fixtures/mail-app.fixture.ts'
import { approvalCard, send, threadIdOf, untilAnswered } from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

/** Sends the mail that the message has as JSON, through a sub-agent for the app. */
function act({ role, text, tools }: ModelRequest): Act {
  const mail = /\{"to".*?\}/s.exec(text)?.[0]
  if (role === 'tool' || mail === undefined) return { says: 'Done.' }
  if (tools.includes('send_mail'))
    return { calls: 'send_mail', arguments: JSON.parse(mail) as object as never }
  return { calls: 'delegate_to_integrations_agent', arguments: { toolkit, prompt: `Send this: ${mail}` } }
}

let toolkit = ''
const model = await startActingModel(act)
const app = await startMailApp()
const stage = openStage()
afterAll(async () => {
  await model.close()
  await app.close()
})

beforeEach(async () => {
  const { assistant } = stage
  app.describe('Sends a mail.')
  await assistant.change({ model: model.model })
  const { servers } = await assistant.ask<{ readonly servers: readonly McpServerRow[] }>(
    'GET',
    '/api/mcp-servers',
  )
  const transport = { type: 'http', url: app.url }
  const server =
    servers[0] ?? (await assistant.ask<McpServerRow>('POST', '/api/mcp-servers', { name: 'Post', transport }))
  toolkit = server.slug
  const { id } = await assistant.ask<ConnectionRow>('POST', '/api/connections', { toolkit })
  await assistant.ask('POST', `/api/connections/${id}/sign-in`)
})

const mail = (to: string, more: object = {}): string =>
  `Mail: ${JSON.stringify({ to, text: 'Tea?', ...more })}`
const requestsIn = async (page: Page): Promise<number> =>
  (await stage.assistant.events(threadIdOf(page))).filter(({ type }) => type === 'approval-request').length
const press = (page: Page, name: string): Promise<void> =>
  approvalCard(page).getByRole('button', { name, exact: true }).click()
const startNew = (page: Page): Promise<unknown> => page.goto(stage.assistant.url)
const grantRow = (page: Page): Locator => page.getByRole('listitem').filter({ hasText: 'send_mail' }).first()

describe('a grant', () => {
  it.each([
    ['Allow once', 2, 'none'],
    ['This conversation', 1, 'In that conversation only'],
    ['One hour', 1, /Until .*\d\d:\d\d/],
    ['Always allow', 1, 'Until you remove it'],
  ] as const)('by "%s" saves the questions it should, and is explained', async (name, requests, words) => {
    const { page, shoot } = await stage.visit()
    await send(page, mail('ada@example.com'))
    await approvalCard(page).waitFor()
    await shoot('card')
    await press(page, name)
    await untilAnswered(page)
    await send(page, mail('ada@example.com'))
    if (requests === 1) await untilAnswered(page, 2)
    else await approvalCard(page).waitFor()
    expect(await requestsIn(page)).toBe(requests)
    if (words === 'none') return
    await page.getByRole('link', { name: 'Settings' }).click()
    await grantRow(page).scrollIntoViewIfNeeded()
    expect(await grantRow(page).innerText()).toMatch(words)
    expect(await grantRow(page).innerText()).toMatch(/Only to .ada@example\.com/)
    await shoot('explained')
  })

  it('for a conversation asks again in the next one', async () => {
    const { page } = await stage.visit()
    await send(page, mail('ada@example.com'))
    await press(page, 'This conversation')
    await untilAnswered(page)
    await startNew(page)
    await send(page, mail('ada@example.com'))
    await approvalCard(page).waitFor()
  })

  it('with a limit covers the same domain, asks about another one, and ends when it is revoked', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, mail('ada@example.com'))
    await approvalCard(page)
      .getByRole('radio', { name: /Only to .\*@example\.com/ })
      .check()
    await press(page, 'Always allow')
    await untilAnswered(page)
    await send(page, mail('bob@example.com'))
    await untilAnswered(page, 2)
    expect(await requestsIn(page)).toBe(1)
    await send(page, mail('eve@evil.test'))
    await approvalCard(page).waitFor()
    await shoot('another destination')
    await press(page, 'Deny')
    await untilAnswered(page, 3)

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Ask again for send_mail' }).click()
    await page.getByText('Nothing runs without asking.').waitFor()
    await page.goBack()
    await send(page, mail('ada@example.com'))
    await approvalCard(page).waitFor()
    expect(app.sent.filter((one) => JSON.stringify(one).includes('evil'))).toEqual([])
  })

  it('is void when the app changes its definition', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, mail('ada@example.com'))
    await press(page, 'Always allow')
    await untilAnswered(page)
    app.describe('Sends a mail, and a copy to the author of this app.')
    await send(page, mail('ada@example.com'))
    await approvalCard(page).waitFor()
    expect(await requestsIn(page)).toBe(2)
    // An action with a new definition is asked about every time until it was used once.
    expect(await approvalCard(page).getByRole('button', { name: 'Always allow' }).count()).toBe(0)
    await shoot('changed definition')
  })
})

describe('a card with hidden values', () => {
  const PASSWORD = 'hunter2-Correct!Horse9'

  it('reveals them on request, and a yes without that needs a second press', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, mail('ada@example.com', { password: PASSWORD }))
    const card = approvalCard(page)
    await card.getByText('Hidden values: 1').waitFor()
    expect(await card.innerText()).not.toContain(PASSWORD)
    await press(page, 'Allow once')
    await card.getByText('You have not seen the hidden values.').waitFor()
    await shoot('unseen')
    const before = app.sent.length
    await card.getByRole('button', { name: 'Show hidden values' }).click()
    await soon(() => card.innerText()).toContain(`"password": "${PASSWORD}"`)
    await shoot('revealed')
    await press(page, 'Allow once')
    await untilAnswered(page)
    expect(app.sent.slice(before)).toEqual([{ to: 'ada@example.com', text: 'Tea?', password: PASSWORD }])
  })

  it('is readable in the dark, on a phone, from right to left and with long arguments', async () => {
    const text = `Line with a mark \u202ethat turns and a gap\u200bwithout width. ${'A long letter. '.repeat(200)}`
    const words = mail('ada@example.com', { text, password: PASSWORD })
    const phone = { viewport: { width: 390, height: 844 } }
    for (const [name, language, options] of [
      ['light', '', {}],
      ['dark', '', { colorScheme: 'dark' as const }],
      ['phone', '', phone],
      ['right-to-left phone', 'ar', { ...phone, colorScheme: 'dark' as const }],
    ] as const) {
      await stage.assistant.change({ language })
      const { page, shoot } = await stage.visit(options)
      const composer = page.getByRole('textbox').first()
      await composer.fill(words)
      await composer.press('Enter')
      const card = page.locator('[data-approval]')
      await card.waitFor()
      expect(await card.locator('mark').allInnerTexts()).toEqual(['U+202E', 'U+200B'])
      const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(width, name).toBeLessThanOrEqual(0)
      await shoot(name)
      await card.getByRole('group').scrollIntoViewIfNeeded()
      await shoot(`${name} below`)
    }
  })
})
