import type { ConnectionRow, McpServerRow, MemoryPage } from '@capstan/protocol'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { startLibraryServer } from '../../packages/connectors/src/mcp/scenarios/library-server.fixture.ts'
import { expectToBeSound } from './fixtures/expect-to-be-sound.ts'
import { openStage, soon } from './fixtures/stage.fixture.ts'

const library = await startLibraryServer(
  ['Ferry', 'Harbour', 'Tide'].map((name) => ({
    uri: `library:${name}`,
    name,
    text: `The text of ${name}.`,
  })),
)
library.hasResources = false
const stage = openStage()
afterAll(() => library.stop())

beforeEach(async () => {
  for (const { slug } of (await stage.assistant.ask<{ servers: McpServerRow[] }>('GET', '/api/mcp-servers'))
    .servers)
    await stage.assistant.ask('DELETE', `/api/mcp-servers/${slug}`)
  const transport = { type: 'http', url: library.url }
  await stage.assistant.ask('POST', '/api/mcp-servers', { name: 'Library', transport })
  const { id } = await stage.assistant.ask<ConnectionRow>('POST', '/api/connections', { toolkit: 'library' })
  await stage.assistant.ask('POST', `/api/connections/${id}/sign-in`)
  // Only a session tells that there are no resources.
  await stage.assistant.ask('GET', '/api/toolkits/library/actions')
})

const mapped = async () =>
  (await stage.assistant.ask<{ servers: McpServerRow[] }>('GET', '/api/mcp-servers')).servers[0]?.sync

const titles = async (): Promise<readonly (string | undefined)[]> => {
  const { items } = await stage.assistant.ask<MemoryPage>('GET', '/api/memory/items?limit=100')
  return items.map(({ title }) => title).toSorted()
}

async function openDialog(page: Page, button = 'Set up sync…'): Promise<Locator> {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: 'Sync of Library: what is read' })
  await dialog.getByLabel('Place of the items').waitFor()
  return dialog
}

it('a server without resources is synced as proposed, changed and removed, by keyboard too', async () => {
  const { page, shoot } = await stage.visit({ path: '/connections', reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Set up sync…' }).waitFor()
  await shoot('nothing to sync by itself')
  expect(await page.getByRole('switch', { name: 'Sync into memory' }).count()).toBe(0)
  const dialog = await openDialog(page)
  await dialog.getByText('list_documents lists the items, read_document reads each text').waitFor()
  await shoot('proposed')
  await expectToBeSound(page, 'a proposed mapping')

  await dialog.getByLabel('Place of the items').fill('')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is needed.').waitFor()
  await soon(() => page.evaluate('document.activeElement.name')).toBe('list.items')
  await shoot('a problem at its field')
  expect(await mapped()).toBeUndefined()
  await page.keyboard.type('found.documents')
  await page.keyboard.press('Enter')

  const estimate = page.getByRole('dialog', { name: /into memory/ })
  await estimate.getByText('Requests to the app').waitFor()
  await shoot('what it needs')
  expect(await mapped()).toMatchObject({ list: { action: 'list_documents' }, read: { id: 'uri' } })
  expect(await titles()).toEqual([])
  await estimate.getByRole('button', { name: 'Switch on' }).click()
  await page.getByText(/^Synced/).waitFor()
  expect(await titles()).toEqual(['Ferry', 'Harbour', 'Tide'])
  await shoot('synced')
  expect(library.asked.filter((asked) => asked.includes('delete'))).toEqual([])

  const again = await openDialog(page, 'Change what is synced…')
  expect(await again.getByRole('radio', { name: /^As it is now/ }).isChecked()).toBe(true)
  await again.getByRole('button', { name: 'Remove…' }).click()
  await shoot('removing')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Set up sync…' }).waitFor()
  expect(await mapped()).toBeUndefined()
  expect(await titles()).toHaveLength(3)
})

it.each([
  ['a phone', { viewport: { width: 390, height: 844 } }],
  ['a dark screen', { colorScheme: 'dark' as const }],
  ['Arabic on a phone', { viewport: { width: 390, height: 844 }, locale: 'ar' }],
])('the form of a mapping fits %s', async (_what, options) => {
  const { page, shoot } = await stage.visit({ path: '/connections', reducedMotion: 'reduce', ...options })
  await page.locator('.sync-part').getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name="list.items"]').waitFor()
  await shoot('proposed')
  await dialog.locator('button[aria-expanded="false"]').click()
  const overflow = await page.evaluate<number>(OVERFLOW)
  expect(overflow).toBeLessThanOrEqual(0)
  await dialog.locator('[name="list.total"]').scrollIntoViewIfNeeded()
  await shoot('the rest of the form')
  await expectToBeSound(page, 'the form')
})

/** How much wider the content of the dialog is than the screen. */
const OVERFLOW = `Math.max(
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ...[...document.querySelectorAll('.ui-dialog-body')].map((body) => body.scrollWidth - body.clientWidth),
)`
