import { readFile } from 'node:fs/promises'
import type { MemoryFact, MemoryItemPost, MemoryPage } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Act, ModelRequest } from './fixtures/acting-model.fixture.ts'
import { startActingModel } from './fixtures/acting-model.fixture.ts'
import { expectToBeSound } from './fixtures/expect-to-be-sound.ts'
import { lastAnswer, send, untilAnswered } from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

/** Proposes what a message asks to remember. */
function act({ role, text, system }: ModelRequest): Act {
  systems.push(system)
  const fact = /Remember: (.*)/.exec(text)?.[1]
  if (role === 'tool' || fact === undefined) return { says: 'All right.' }
  return { calls: 'remember', arguments: { fact } }
}

const systems: string[] = []
const model = await startActingModel(act)
const stage = openStage()
afterAll(() => model.close())

const DAY = 86_400_000
const toItem = (n: number, more: Partial<MemoryItemPost> = {}): MemoryItemPost => ({
  id: `note_${n}`,
  app: 'notes',
  externalId: String(n),
  at: Date.UTC(2026, 2, 1) + n * DAY,
  title: `Page ${n}`,
  text: `Words of page ${n}.`,
  people: [],
  ...more,
})

const BOILER = toItem(1, {
  title: 'Boiler <b>service</b>',
  text: `${'Nothing of interest here. '.repeat(40)}The boilers were serviced in March.\n\n<img src=x onerror=alert(1)>`,
  people: ['Ada Lind'],
  link: 'https://notes.invalid/1',
})
const EVIL = toItem(2, { title: 'An evil link', link: 'javascript:alert(1)' })
const MAIL = toItem(3, { id: 'mail_3', app: 'mail', account: 'home', title: 'Ferry tickets' })

const add = (items: readonly MemoryItemPost[]) => stage.assistant.ask('POST', '/api/memory/items', { items })
const itemsLeft = async (): Promise<readonly string[]> =>
  (await stage.assistant.ask<MemoryPage>('GET', '/api/memory/items')).items.map(({ title }) => title)
const facts = async (): Promise<readonly MemoryFact[]> =>
  (await stage.assistant.ask<{ readonly facts: readonly MemoryFact[] }>('GET', '/api/memory/facts')).facts

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Items' }).getByRole('listitem')
const titleButton = (page: Page, name: string | RegExp): Locator => rows(page).getByRole('button', { name })
const search = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search memory' })
const proposed = (page: Page): Locator =>
  page.getByRole('list', { name: 'Proposed by the assistant' }).getByRole('listitem')
const factRow = (page: Page, words: string): Locator =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: words })
const forgetForGood = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: 'Forget for good' }).click()

describe('items', () => {
  it('memory that is empty says how it is filled', async () => {
    const { page, shoot } = await stage.visit({ path: '/memory' })
    await page.getByText('Nothing was read from your apps yet').waitFor()
    await page.getByText('capstan memory import --jsonl').waitFor()
    await shoot('empty')
    await page.getByRole('main').getByRole('link', { name: 'Go to Connections' }).click()
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  })

  it('are found while typing, with the words marked, and read in full as plain text', async () => {
    await add([BOILER, EVIL, MAIL])
    const { page, shoot } = await stage.visit({ path: '/memory' })
    await soon(() => rows(page).count()).toBe(3)
    await shoot('all')
    await search(page).pressSequentially('boiler servicd')
    await page.getByRole('heading', { name: '1 item found' }).waitFor()
    const [row] = await rows(page).all()
    expect(await row!.locator('mark').allInnerTexts()).toEqual(['Boiler', 'service', 'boilers', 'serviced'])
    expect(await row!.innerText()).toContain('Ada Lind')
    expect(await row!.getByRole('link').getAttribute('rel')).toContain('noopener')
    await shoot('found')
    await titleButton(page, 'Boiler <b>service</b>').click()
    const sheet = page.getByRole('dialog', { name: 'Boiler <b>service</b>' })
    await sheet.getByText('<img src=x onerror=alert(1)>').waitFor()
    await shoot('in full')
    await page.keyboard.press('Escape')
    await soon(() => sheet.count()).toBe(0)

    await search(page).fill('harbour zeppelin violin ferry')
    await page.getByText('Weak match', { exact: true }).waitFor()
    await shoot('weak')
    await search(page).fill('qqqqqq')
    await page.getByText(/^Nothing was found for/).waitFor()
    // A link that is not of the web is not one.
    await search(page).fill('evil link')
    const evil = rows(page).filter({ hasText: 'An evil link' })
    await evil.waitFor()
    expect(await evil.getByRole('link').count()).toBe(0)
  })

  it('are listed by app with counts, page by page', async () => {
    const many = Array.from({ length: 120 }, (_, n) => toItem(n + 10))
    await add([...many, MAIL, { ...MAIL, id: 'mail_4', account: 'work', title: 'Rota' }])
    const { page } = await stage.visit({ path: '/memory' })
    await page.getByRole('heading', { name: '122 items' }).waitFor()
    const apps = page.getByRole('group', { name: 'Apps' }).getByRole('button')
    expect(await apps.allInnerTexts()).toEqual(['All apps\n122', 'notes\n120', 'mail\n2'])
    await apps.nth(1).click()
    await page.getByRole('heading', { name: '120 items' }).waitFor()
    const more = page.getByRole('button', { name: 'Show more' })
    await more.click()
    await soon(() => rows(page).count()).toBe(100)
    await more.click()
    await soon(() => rows(page).count()).toBe(120)
    expect(await more.count()).toBe(0)
    await apps.nth(2).click()
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: '\u2068work\u2069 (1)' })
    await page.getByRole('heading', { name: '1 item' }).waitFor()
    await titleButton(page, 'Rota').waitFor()
  })

  it('are forgotten one by one, by selection and by app, and only after a yes', async () => {
    await add([BOILER, EVIL, MAIL, toItem(5), toItem(6)])
    const { page, shoot } = await stage.visit({ path: '/memory' })
    await titleButton(page, /^Boiler/).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
    const ask = page.getByRole('dialog', { name: /^Forget/ })
    await ask.getByText('This cannot be undone').waitFor()
    await ask.getByText('Backups hold a copy').waitFor()
    await shoot('asked')
    await ask.getByRole('button', { name: 'Cancel' }).click()
    expect(await itemsLeft()).toHaveLength(5)
    await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
    await forgetForGood(page)
    await page.getByText('1 item was forgotten.').waitFor()
    await soon(() => rows(page).count()).toBe(4)
    expect(await itemsLeft()).not.toContain(BOILER.title)

    for (const name of [/Page 5/, /Page 6/]) await page.getByRole('checkbox', { name }).check()
    await page.getByText('Selected: 2').waitFor()
    await shoot('selected')
    await page.getByRole('button', { name: 'Forget', exact: true }).click()
    await forgetForGood(page)
    await soon(() => rows(page).count()).toBe(2)
    expect(await itemsLeft()).toEqual([MAIL.title, EVIL.title])

    await page.getByRole('group', { name: 'Apps' }).getByRole('button', { name: /notes/ }).click()
    await page.getByRole('button', { name: /^Forget everything from .*notes/ }).click()
    await page.getByRole('dialog').getByText('1 item is deleted from memory for good.').waitFor()
    await forgetForGood(page)
    await page.getByRole('heading', { name: '1 item' }).waitFor()
    await titleButton(page, 'Ferry tickets').waitFor()
    expect(await itemsLeft()).toEqual([MAIL.title])
  })

  it('are exported as a file that can be imported, all or those of an app', async () => {
    await add([BOILER, MAIL])
    const { page } = await stage.visit({ path: '/memory' })
    const download = async (): Promise<readonly { readonly title: string }[]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export' }).click(),
      ])
      expect(file.suggestedFilename()).toBe('capstan-memory.jsonl')
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
      return lines.map((line) => JSON.parse(line) as { title: string })
    }
    await rows(page).first().waitFor()
    expect((await download()).map(({ title }) => title)).toEqual([MAIL.title, BOILER.title])
    await page.getByRole('group', { name: 'Apps' }).getByRole('button', { name: /mail/ }).click()
    await page.getByRole('heading', { name: '1 item' }).waitFor()
    expect((await download()).map(({ title }) => title)).toEqual([MAIL.title])
  })
})

describe('facts', () => {
  beforeEach(async () => {
    systems.length = 0
    await stage.assistant.change({ model: model.model })
  })

  it('a proposal is accepted where it was made, and the next conversation knows it', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Remember: Likes trains more than planes.')
    await untilAnswered(page)
    const card = lastAnswer(page).getByRole('region', { name: 'About you' })
    await card.getByRole('heading', { name: 'Remember this about you?' }).waitFor()
    await shoot('proposed in a conversation')
    await expectToBeSound(page, 'proposed in a conversation')
    await card.getByRole('button', { name: 'Accept' }).click()
    await card.getByText(/^Remembered: .*Likes trains/).waitFor()
    await shoot('accepted in a conversation')
    await send(page, 'And now?')
    await untilAnswered(page, 2)
    expect(systems.at(-1)).not.toContain('Likes trains')

    await page.goto(stage.assistant.url)
    await send(page, 'How shall I travel?')
    await untilAnswered(page)
    expect(systems.at(-1)).toContain('Likes trains more than planes.')
    await page.goto(new URL('/memory/facts', stage.assistant.url).href)
    await factRow(page, 'Likes trains').getByRole('link', { name: 'See the conversation' }).click()
    await page.getByText('Remember: Likes trains').first().waitFor()
  })

  it('proposals stand above everything: accepted, edited and rejected', async () => {
    const { page, shoot } = await stage.visit()
    for (const [at, words] of ['Is called Ada.', 'Lives in Bergen.', 'Hates ferries.'].entries()) {
      await send(page, `Remember: ${words}`)
      await untilAnswered(page, at + 1)
    }
    await page.goto(new URL('/memory', stage.assistant.url).href)
    await soon(() => proposed(page).count()).toBe(3)
    await shoot('proposed')
    await expectToBeSound(page, 'proposed')
    const card = (words: string): Locator => proposed(page).filter({ hasText: words })
    await card('Is called Ada.').getByRole('button', { name: 'Accept' }).click()
    await soon(() => proposed(page).count()).toBe(2)
    await card('Hates ferries.').getByRole('button', { name: 'Reject' }).click()
    await soon(() => proposed(page).count()).toBe(1)
    await card('Lives in Bergen.').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Fact', exact: true }).fill('Lives in Oslo.')
    await page.getByRole('button', { name: 'Save and accept' }).click()
    await soon(() => proposed(page).count()).toBe(0)
    await page.getByRole('tab', { name: /About you/ }).click()
    await factRow(page, 'Lives in Oslo.').waitFor()
    await page.getByRole('button', { name: 'Rejected facts (1)' }).click()
    await factRow(page, 'Hates ferries.').waitFor()
    await shoot('answered')
    const byWords = new Map((await facts()).map(({ text, status }) => [text, status]))
    expect(Object.fromEntries(byWords)).toEqual({
      'Is called Ada.': 'accepted',
      'Lives in Oslo.': 'accepted',
      'Hates ferries.': 'rejected',
    })
    await page.goto(stage.assistant.url)
    await send(page, 'Who am I?')
    await untilAnswered(page)
    expect(systems.at(-1)).toContain('Lives in Oslo.')
    expect(systems.at(-1)).not.toMatch(/Bergen|ferries/)
  })

  it('are written by hand, edited and forgotten', async () => {
    const { page, shoot } = await stage.visit({ path: '/memory/facts' })
    await page.getByText(/^No facts yet/).waitFor()
    await page
      .getByRole('textbox', { name: /^Something the assistant/ })
      .fill('Prefers <i>short</i> answers.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await factRow(page, 'Prefers <i>short</i> answers.').getByText('Written by you').waitFor()
    await page.getByText('1 of 200 facts').waitFor()
    await page.getByRole('button', { name: /^Edit: / }).click()
    await page.getByRole('textbox', { name: 'Fact', exact: true }).fill('Prefers long answers.')
    await page.keyboard.press('Enter')
    await factRow(page, 'Prefers long answers.').waitFor()
    await shoot('edited')
    await page.getByRole('button', { name: /^Forget: / }).click()
    await page.getByRole('dialog').getByText('Prefers long answers.').waitFor()
    await shoot('asked')
    await forgetForGood(page)
    await page.getByText(/^No facts yet/).waitFor()
    expect(await facts()).toEqual([])
  })
})

describe('two tabs', () => {
  it('show the same after items and facts were added, answered and forgotten in either', async () => {
    await stage.assistant.change({ model: model.model })
    await add([MAIL])
    const visit = await stage.visit({ path: '/memory' })
    const { page, context } = visit
    // The item that is open in one tab is forgotten in the other.
    visit.expectComplaint(/404.*items\/note_7/)
    const other = await context.newPage()
    await other.goto(new URL('/memory', stage.assistant.url).href)
    await titleButton(other, 'Ferry tickets').waitFor()
    await titleButton(page, 'Ferry tickets').waitFor()
    await add([toItem(7)])
    await titleButton(other, 'Page 7').waitFor()
    await titleButton(page, 'Page 7').click()
    await other.getByRole('checkbox', { name: /Page 7/ }).check()
    await other.getByRole('button', { name: 'Forget', exact: true }).click()
    await forgetForGood(other)
    await page.getByText('This item is no longer in memory.').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => rows(page).count()).toBe(1)

    const chat = await context.newPage()
    await chat.goto(stage.assistant.url)
    await send(chat, 'Remember: Likes tea.')
    await untilAnswered(chat)
    await soon(() => proposed(page).count()).toBe(1)
    await proposed(other).getByRole('button', { name: 'Reject' }).click()
    await soon(() => proposed(page).count()).toBe(0)
    await lastAnswer(chat)
      .getByText(/^Not remembered: .*Likes tea/)
      .waitFor()
  })
})

describe('by keyboard alone', () => {
  it('a person searches, reads, selects and forgets, and the focus is never lost', async () => {
    await add([BOILER, MAIL, toItem(5)])
    const { page } = await stage.visit()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await page.getByRole('link', { name: 'Memory' }).focus()
    await page.keyboard.press('Enter')
    await rows(page).first().waitFor()
    await tabTo(page, search(page))
    await page.keyboard.type('boiler')
    await page.getByRole('heading', { name: '1 item found' }).waitFor()
    await tabTo(page, titleButton(page, /^Boiler/))
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: /^Boiler/ })
    await sheet.getByText('onerror').waitFor()
    await tabTo(page, sheet.getByRole('button', { name: 'Forget' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Forget for good' }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Nothing was found for/).waitFor()
    expect(await itemsLeft()).not.toContain(BOILER.title)
    await soon(() => page.evaluate<boolean>('document.activeElement !== document.body')).toBe(true)

    await tabTo(page, search(page), 'Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await soon(() => rows(page).count()).toBe(2)
    await tabTo(page, page.getByRole('checkbox', { name: 'Select all shown' }))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Clear selection' }))
    await page.keyboard.press('Enter')
    expect(await page.getByText('Selected: 2').count()).toBe(0)

    await tabTo(page, page.getByRole('tab', { name: /From your apps/ }), 'Shift+Tab')
    await page.keyboard.press('ArrowRight')
    const field = page.getByRole('textbox', { name: /^Something the assistant/ })
    await tabTo(page, field)
    await page.keyboard.type('Likes tea.')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: /^Edit: / }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Likes coffee.')
    await page.keyboard.press('Enter')
    await factRow(page, 'Likes coffee.').waitFor()
    expect((await facts()).map(({ text }) => text)).toEqual(['Likes coffee.'])
  })
})

async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const hasFocus = await target
      .evaluate((element) => element === element.ownerDocument.activeElement)
      .catch(() => false)
    if (hasFocus) return
    await page.keyboard.press(key)
  }
  throw new Error(`${String(target)} cannot be reached with ${key}`)
}
