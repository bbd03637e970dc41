import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MemberLink, MemberRow } from '@capstan/protocol'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { logIn } from './fixtures/log-in.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

afterEach(async () => {
  const { members } = await stage.assistant.ask<{ members: readonly MemberRow[] }>('GET', '/api/members')
  for (const { userId } of members) await stage.assistant.ask('DELETE', `/api/members/${userId}`)
})

/** Makes every login old, as ten minutes would. */
async function ageLogins(): Promise<void> {
  await stage.assistant.kill()
  const path = join(stage.assistant.home, 'logins.json')
  const file = JSON.parse(await readFile(path, 'utf8')) as { logins: { freshUntil: number }[] }
  for (const login of file.logins) login.freshUntil = 0
  await writeFile(path, JSON.stringify(file))
  await stage.assistant.restart()
}

const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

describe('the page of a login link', () => {
  it('asks in the language of the browser, and logs in only after its button was pressed', async () => {
    const link = stage.assistant.link()
    const visit = await stage.visit({ isStranger: true, path: link, locale: 'de-DE' })
    const { page, context, shoot } = visit
    await page.getByRole('heading', { name: 'Bei Capstan anmelden?' }).waitFor()
    await shoot('asks in German')
    expect(await context.cookies()).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  })
})

describe('the logins in the settings', () => {
  it('show this browser, and log another one out at once', async () => {
    const other = await stage.visit()
    other.expectComplaint(/401|WebSocket connection to/)
    const { page, shoot } = await stage.visit({ path: '/settings' })
    const logins = section(page, 'Logins')
    await logins.getByText('This browser').waitFor()
    await logins.scrollIntoViewIfNeeded()
    await shoot('logins')
    await logins.getByRole('button', { name: 'Log out all others' }).click()
    await page.getByText('All other browsers were logged out.').waitFor()
    await soon(() =>
      other.page
        .getByText(/signed out/i)
        .first()
        .isVisible(),
    ).toBe(true)
    expect(await logins.getByRole('listitem').count()).toBe(1)
  })
})

describe('a change that reaches the machine', () => {
  it('asks for a fresh login, explains how, and then goes on by itself', async () => {
    const visit = await stage.visit({ path: '/settings' })
    visit.expectComplaint(/400|403|WebSocket connection to|ERR_CONNECTION|Failed to load/)
    const { page, shoot } = visit
    await ageLogins()
    await page.reload()
    const people = section(page, 'People')
    await people.getByLabel('Name of the new member').fill('grace')
    await people.getByRole('button', { name: 'Add member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log in again' })
    await dialog.getByText('npx capstan login').waitFor()
    await shoot('log in again')
    await dialog.getByLabel('Login link').fill(`${stage.assistant.url}/login?ticket=old`)
    await dialog.getByRole('button', { name: 'Log in and go on' }).click()
    await dialog.getByText(/This link does not work any more/).waitFor()
    await dialog.getByLabel('Login link').fill(stage.assistant.link())
    await dialog.getByRole('button', { name: 'Log in and go on' }).click()
    await people.getByText(/Send this link to grace/).waitFor()
    expect(await dialog.count()).toBe(0)
    await people.scrollIntoViewIfNeeded()
    await shoot('the link of the new member')
  })

  it('goes on as well after the link was opened in another tab', async () => {
    const visit = await stage.visit({ path: '/settings' })
    visit.expectComplaint(/403|WebSocket connection to|ERR_CONNECTION|Failed to load/)
    const { page, context } = visit
    await ageLogins()
    await page.reload()
    const people = section(page, 'People')
    await people.getByLabel('Name of the new member').fill('grace')
    await people.getByRole('button', { name: 'Add member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log in again' })
    await dialog.waitFor()
    await logIn(await context.newPage(), stage.assistant.link())
    await dialog.getByRole('button', { name: 'I have opened the link' }).click()
    await people.getByText(/Send this link to grace/).waitFor()
  })
})

describe('a member', () => {
  it('is offered only what will work, until they are removed', async () => {
    const { link } = await stage.assistant.ask<MemberLink>('POST', '/api/members', { userId: 'grace' })
    const visit = await stage.visit({ isStranger: true, path: link })
    visit.expectComplaint(/401|WebSocket connection to/)
    const { page, shoot } = visit
    await page.getByText('grace').waitFor()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await page.goto(new URL('/settings', stage.assistant.url).href)
    await page.getByText('The owner of this installation chooses the model.').waitFor()
    await shoot('settings of a member')
    expect(await page.getByRole('radio', { name: /On its own/ }).isDisabled()).toBe(true)
    for (const name of ['People', 'Add folder', 'Data folder'])
      expect(await page.getByText(name).count()).toBe(0)
    await page.goto(new URL('/connections', stage.assistant.url).href)
    await page.getByRole('article', { name: /Notes/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Add an MCP server' }).count()).toBe(0)
    await shoot('connections of a member')
    await stage.assistant.ask('DELETE', '/api/members/grace')
    await soon(() =>
      page
        .getByText(/signed out/i)
        .first()
        .isVisible(),
    ).toBe(true)
  })
})
