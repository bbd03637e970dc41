import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunPage } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Act, ModelRequest } from './fixtures/acting-model.fixture.ts'
import { startActingModel } from './fixtures/acting-model.fixture.ts'
import { approvalCard, composer, lastAnswer, send, untilAnswered } from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

// What a person meets in the first minutes: the live row, the keyboard, a question, a stop and a failure.

/** Runs the command that follows "Run:"; reads the page that follows "Read:". */
function act({ role, text }: ModelRequest): Act {
  const [, verb, rest = ''] = /(Run|Read): (.*)/s.exec(text) ?? []
  if (role === 'tool' || verb === undefined) return { says: 'That is all.' }
  return verb === 'Run'
    ? { calls: 'shell', arguments: { command: rest } }
    : { calls: 'web_fetch', arguments: { url: rest } }
}

const model = await startActingModel(act)
const root = await mkdtemp(join(tmpdir(), 'capstan-root-'))
const stage = openStage()
afterAll(async () => {
  await model.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => stage.assistant.change({ model: model.model, shell: 'ask', roots: [root] }))

const LONG = `Run: touch ${Array.from({ length: 12 }, (_, at) => `harbour-${at}.txt`).join(' ')} && sleep 60`

const LOOKS = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)
const blur = (page: Page): Promise<unknown> => page.evaluate('document.activeElement?.blur()')
const liveRow = (page: Page): Locator => lastAnswer(page).locator('.timeline-summary')
const stop = (page: Page): Promise<void> => page.getByRole('button', { name: 'Stop', exact: true }).click()

describe('the live row', () => {
  it.each(LOOKS)('of a call with long arguments is one line (%s)', async (_, look) => {
    const { page, shoot } = await stage.visit(look)
    await send(page, LONG)
    await approvalCard(page).getByRole('button', { name: 'Allow once' }).click()
    await soon(() => liveRow(page).innerText()).toContain('Run a command')
    await shoot('running')
    const [row, answer] = await Promise.all([liveRow(page).boundingBox(), lastAnswer(page).boundingBox()])
    expect(row!.height).toBeLessThan(32)
    expect(row!.x + row!.width).toBeLessThanOrEqual(answer!.x + answer!.width)
    await stop(page)
    await untilAnswered(page)
  })
})

describe('typing', () => {
  it('goes to the message at once: after loading, and in a new chat from anywhere', async () => {
    const { page, shoot } = await stage.visit()
    await soon(() => hasFocus(composer(page))).toBe(true)
    await send(page, 'Hello')
    await untilAnswered(page)
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
    await soon(() => hasFocus(composer(page))).toBe(true)
    await page.getByRole('link', { name: 'New chat' }).click()
    await soon(() => hasFocus(composer(page))).toBe(true)
    await shoot('new chat')
  })

  it('with nothing focused writes the message instead of going to another page', async () => {
    const { page } = await stage.visit()
    await composer(page).waitFor()
    await blur(page)
    await page.keyboard.type('great')
    await soon(() => composer(page).inputValue()).toBe('great')
    expect(new URL(page.url()).pathname).toBe('/')
  })
})

describe('the keys of a question', () => {
  it('work from the empty message box, and show as key caps', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, LONG)
    await approvalCard(page).waitFor()
    await shoot('key caps')
    expect(await approvalCard(page).locator('kbd').allInnerTexts()).toEqual(['A', 'C', 'H', '⇧', 'A', 'D'])
    await composer(page).press('d')
    await untilAnswered(page)
    expect(await composer(page).inputValue()).toBe('')
  })

  it('do not answer while a person writes a word', async () => {
    const { page } = await stage.visit()
    await send(page, LONG)
    await approvalCard(page).waitFor()
    await composer(page).pressSequentially('Also add a date')
    await blur(page)
    await page.keyboard.type('and more')
    await soon(() => composer(page).inputValue()).toBe('Also add a dateand more')
    expect(await approvalCard(page).count()).toBe(1)
  })
})

describe('a stop in the middle of a change', () => {
  it('says that it may have happened', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, LONG)
    await approvalCard(page).getByRole('button', { name: 'Allow once' }).click()
    await soon(() => liveRow(page).innerText()).toContain('Run a command')
    await stop(page)
    const answer = await untilAnswered(page)
    await soon(() => answer.innerText()).toContain('may or may not have happened')
    await shoot('stopped')
  })
})

describe('the page of a run', () => {
  it.each(LOOKS)('shows model, tool and waiting time in three colours (%s)', async (_, look) => {
    const { page, shoot } = await stage.visit(look)
    await send(page, 'Run: touch tide.txt')
    await approvalCard(page).waitFor()
    await approvalCard(page).getByRole('button', { name: 'Allow once' }).click()
    await untilAnswered(page)
    const { runs } = await stage.assistant.ask<RunPage>('GET', '/api/runs')
    await page.goto(new URL(`/runs/${runs[0]!.id}`, stage.assistant.url).href)
    const tree = page.getByRole('tree')
    await tree.waitFor()
    for (const tone of ['model', 'waiting', 'ok'])
      expect(await tree.locator(`.runs-bar[data-tone="${tone}"]`).count(), tone).toBeGreaterThan(0)
    await tree.scrollIntoViewIfNeeded()
    await shoot('waterfall')
  })
})

describe('a note that something was done', () => {
  it.each(LOOKS)('leaves the message box free, and "Undo" is one word (%s)', async (name, look) => {
    const { page, shoot } = await stage.visit(look)
    await send(page, 'A conversation about the boats that leave the harbour before the tide of the morning')
    await untilAnswered(page)
    if (name === 'phone') await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    if (name === 'phone') await page.keyboard.press('Escape')
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await shoot('toast')
    const [toast, box, word] = await Promise.all([
      page.locator('.ui-toast').boundingBox(),
      page.locator('.chat-composer').boundingBox(),
      undo.boundingBox(),
    ])
    expect(toast!.y + toast!.height).toBeLessThanOrEqual(box!.y)
    expect(word!.height).toBeLessThan(36)
  })
})

describe('the page of somebody who is signed out', () => {
  it('shows the command that works for this data folder', async () => {
    const { page, shoot, expectComplaint } = await stage.visit({ isStranger: true })
    expectComplaint(/40[01]/)
    await page.getByRole('main').getByText(`npx capstan login --home ${stage.assistant.home}`).waitFor()
    await shoot('signed out')
  })
})

describe('a failure that decided the answer', () => {
  it('stands under the answer with why, what next and a button', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'Read: https://ferries.invalid/timetable')
    const answer = await untilAnswered(page)
    await answer.getByText('What to do next').waitFor()
    await answer.getByRole('button', { name: 'Try again' }).waitFor()
    await shoot('failure')
  })
})
