import { fileURLToPath } from 'node:url'
import type { McpServerRow, ToolkitList } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { connectNotes } from './fixtures/connect-notes.ts'
import {
  allowOnce,
  answers,
  callRow,
  openProcessing,
  send,
  untilAnswered,
  untilAnswerContains,
} from './fixtures/person.fixture.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const stage = openStage()

const MEMORY_SERVER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
)

describe('the connections page', () => {
  it('connects an app, shows its permissions and disconnects it', async () => {
    const { page, context, shoot } = await stage.visit({ path: '/connections' })
    const notes = page.getByRole('article', { name: /Notes/ })
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      notes.getByRole('button', { name: 'Connect Notes' }).click(),
    ])
    await popup.getByRole('button', { name: 'Allow' }).click()
    await notes.getByText('ada@notes.example').first().waitFor()
    await notes.getByRole('button', { name: 'What the assistant may do' }).click()
    const scopes = notes.getByRole('switch', { name: /^(?!Sync)/ })
    await scopes.first().waitFor()
    expect(await scopes.evaluateAll((all) => all.map((one) => one.ariaChecked))).toEqual([
      'true',
      'true',
      'false',
    ])
    await shoot('connected')

    await notes.getByRole('button', { name: /^Actions for ada/ }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await notes.getByRole('button', { name: 'Connect Notes' }).waitFor()
    await shoot('disconnected')
  })

  it('shows the exact command of a server and runs nothing before the confirmation', async () => {
    const { page, shoot } = await stage.visit({ path: '/connections' })
    await page.getByRole('button', { name: 'Add an MCP server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^By command/ }).check()
    await dialog.getByRole('textbox', { name: 'Command' }).fill(`node ${MEMORY_SERVER}`)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Memory')
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByText('Exactly this will run').waitFor()
    expect(await dialog.innerText()).toContain(MEMORY_SERVER)
    await shoot('the command')
    const servers = () =>
      stage.assistant.ask<{ readonly servers: readonly McpServerRow[] }>('GET', '/api/mcp-servers')
    await dialog.getByRole('button', { name: 'Run it and add' }).click()
    await dialog.getByText('Tick the box first: nothing runs without it.').waitFor()
    expect((await servers()).servers).toEqual([])

    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Run it and add' }).click()
    const memory = page.getByRole('article', { name: /Memory/ })
    await memory.waitFor()
    await shoot('added')
    expect((await servers()).servers).toHaveLength(1)
    await memory.getByRole('button', { name: 'Remove server' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await soon(() => memory.count()).toBe(0)
    expect((await servers()).servers).toEqual([])
  })
})

describe('the runs page', () => {
  it('shows a turn with its sub-agents as a chart and as a report, and links to a call in the conversation', async () => {
    await connectNotes(stage.assistant)
    const { page, shoot } = await stage.visit()
    await page.getByRole('button', { name: /^Watch two helpers work/ }).click()
    await untilAnswerContains(page, 'Almanac')
    await page.getByRole('link', { name: 'Runs' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /Almanac/ })
      .first()
      .click()
    const tree = page.getByRole('tree')
    await tree
      .getByRole('treeitem', { name: /researcher/i })
      .first()
      .waitFor()
    await tree
      .getByRole('treeitem', { name: /planner/i })
      .first()
      .waitFor()
    await shoot('waterfall')
    await page.getByRole('tab', { name: 'Table' }).click()
    expect(await page.getByRole('tabpanel').getByRole('row').count()).toBeGreaterThan(6)
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Chart' }).click()
    await tree
      .getByRole('treeitem', { name: /list.pages/i })
      .first()
      .click()
    await page.getByRole('link', { name: 'Show this call in the conversation' }).click()
    const call = callRow(answers(page), /list.pages/i).first()
    await soon(() => call.getAttribute('aria-expanded')).toBe('true')
    await shoot('the call')
  })
})

describe('the settings', () => {
  it('in read-only mode refuse a change, and the failure links back to them', async () => {
    await connectNotes(stage.assistant)
    const { page, shoot } = await stage.visit({ path: '/settings' })
    const readOnly = page.getByRole('radio', { name: /^Read only/ })
    await readOnly.click()
    await soon(() => readOnly.isChecked()).toBe(true)
    await page.getByRole('link', { name: 'New chat' }).click()
    await send(page, 'Save to my Notes: rye flour')
    const answer = await untilAnswerContains(page, 'It was not done.')
    await openProcessing(answer)
    await answer.getByText('Your safety settings do not allow this.').first().waitFor()
    await shoot('refused')
    await answer.getByRole('link', { name: 'Open settings' }).first().click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('of an app switch a kind of action off, and the failure has the button that allows it', async () => {
    await connectNotes(stage.assistant)
    const scopes = { read: true, write: false, admin: false }
    await stage.assistant.ask('PUT', '/api/toolkits/notes/scopes', scopes)
    const { page, shoot } = await stage.visit()
    await send(page, 'Save to my Notes: rye flour')
    const answer = await untilAnswered(page)
    await openProcessing(answer)
    await answer
      .getByText(/belongs to “Write”, which is switched off in Notes/)
      .first()
      .waitFor()
    await shoot('off')
    await answer.getByRole('button', { name: 'Allow “Write” in Notes' }).first().click()
    await answer.getByText('“Write” is allowed in Notes now.').first().waitFor()
    await shoot('allowed')
    const { toolkits } = await stage.assistant.ask<ToolkitList>('GET', '/api/toolkits')
    expect(toolkits.find(({ slug }) => slug === 'notes')?.scopes).toEqual({ ...scopes, write: true })
    await answer.getByRole('button', { name: 'Try again' }).first().click()
    await allowOnce(page)
    await untilAnswerContains(page, /saved|rye flour/i, 2)
    await shoot('saved')
  })

  it('change the theme at once, and apply it before the first paint of the next visit', async () => {
    const { page, shoot } = await stage.visit({ path: '/settings', colorScheme: 'light' })
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const light = await background()
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Dark' })
    await soon(background).not.toBe(light)
    const dark = await background()
    await shoot('dark')
    await page.reload({ waitUntil: 'domcontentloaded' })
    expect(await background()).toBe(dark)
  })

  it('test an unreachable model and show why it failed and what to do', async () => {
    const { page, shoot } = await stage.visit({ path: '/settings' })
    await page.getByLabel('Model', { exact: true }).fill('http://127.0.0.1:9/v1#nobody')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('did not answer.').waitFor()
    await page.getByText('Nothing answers at the address of this AI model.').waitFor()
    await shoot('not reached')
  })
})

describe('a deleted conversation', () => {
  it('comes back with Undo, and is gone without', async () => {
    const { page, shoot } = await stage.visit()
    await send(page, 'What time is it?')
    await untilAnswered(page)
    const row = page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: 'What time is it?' })
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More for What time is it?' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await soon(() => row.count()).toBe(0)
    }
    await remove()
    await shoot('deleted')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.click()
    await untilAnswerContains(page, /It is \d\d:\d\d/)
    await remove()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await soon(
      async () => (await stage.assistant.ask<{ threads: unknown[] }>('GET', '/api/threads')).threads,
    ).toEqual([])
  })
})
