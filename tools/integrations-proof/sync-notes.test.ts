import { createMcpConnector } from '@capstan/connectors'
import { runSync } from '@capstan/harness/memory'
import type { SyncState } from '@capstan/harness/memory'
import { systemClock } from '@capstan/harness/seams'
import { createMemoryConnectionStore, createMemoryStore } from '@capstan/harness/stores'
import type { NotesApp } from '@capstan/notes-app'
import { startNotesApp } from '@capstan/notes-app'
import type { SyncMapping } from '@capstan/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from '../../examples/notes-app/src/testing/sign-in.ts'
import { NOTES, ROW } from './synced-notes.fixture.ts'

const PAGES = 200
const NEVER = new AbortController().signal

let app: NotesApp
let token: string
let connector: ReturnType<typeof createMcpConnector>
let ids: readonly string[]
const { memory } = createMemoryStore()
let state: SyncState | undefined
let requests = 0

async function act(action: string, args: Record<string, string>): Promise<void> {
  const key = `${action} ${JSON.stringify(args)}`
  const outcome = await connector.execute(ROW, action, args, { signal: NEVER, idempotencyKey: key })
  expect(outcome.ok).toBe(true)
}

function create(mapping: SyncMapping) {
  const headers = { authorization: `Bearer ${token}` }
  const transport = { type: 'http', url: app.mcpUrl, headers } as const
  const { vault } = createMemoryConnectionStore()
  return createMcpConnector({ servers: [{ slug: 'notes', transport, auth: 'none', sync: mapping }], vault })
}

async function sync(cutAfter = Infinity) {
  const stop = new AbortController()
  let pages = 0
  const before = state?.used.requests ?? 0
  const ran = await runSync({
    source: connector.syncSource!(ROW)!,
    memory,
    userId: 'ana',
    account: { app: 'notes', account: 'ada' },
    clock: systemClock,
    signal: stop.signal,
    ...(state && { state }),
    save(next) {
      state = structuredClone(next)
      if (++pages >= cutAfter) stop.abort(new Error('cut'))
    },
  }).finally(() => (requests = (state?.used.requests ?? 0) - before))
  return ran.state.counts
}

beforeAll(async () => {
  app = await startNotesApp()
  token = (await signIn(app.url, 'ada')).tokens.access_token
  connector = create(NOTES)
  while (app.pages.list('ada').length < PAGES) {
    const index = app.pages.list('ada').length
    await act('create_page', { title: `Page ${index}`, text: `Number ${index} of the notebook.` })
  }
  ids = app.pages.list('ada').map(({ id }) => id)
})

afterAll(async () => {
  await connector.close()
  await app.close()
})

it('the Notes app is synced through its list and read actions, cut in the middle, then only changes', async () => {
  const expected = await connector.syncSource!(ROW)!.expect!(NEVER)
  expect(expected).toEqual({ items: PAGES, requests: PAGES + PAGES / 20 })
  await expect(sync(3)).rejects.toThrow('cut')
  expect(await sync()).toMatchObject({ added: PAGES, failed: 0, changed: 0 })
  expect(state?.used.requests).toBe(expected?.requests)

  await act('update_page', { pageId: ids[150]!, text: 'The spare key hangs in the boathouse.' })
  expect(await sync()).toMatchObject({ changed: 1, added: 0, removed: 0 })
  expect(requests).toBeLessThanOrEqual(3)
  const [hit] = await memory.search('ana', { words: 'boathouse key' })
  expect(hit?.item).toMatchObject({ externalId: ids[150], app: 'notes', account: 'ada', version: '2' })

  await act('delete_page', { pageId: ids[10]! })
  // As if the last look at the whole list were a day ago.
  state = { ...state!, lastWholeAt: 0 }
  expect(await sync()).toMatchObject({ removed: 1, changed: 0 })
  expect(await memory.sources('ana')).toEqual([{ app: 'notes', account: 'ada', count: PAGES - 1 }])
})

it('a mapping that names an action which writes is refused, and nothing is called', async () => {
  const other = create({ ...NOTES, list: { ...NOTES.list, action: 'delete_page' } })
  await expect(other.syncSource!(ROW)!.page(undefined, NEVER)).rejects.toThrow('only reads')
  await other.close()
})

it('an answer without a list is an error, never an empty notebook', async () => {
  const other = create({ ...NOTES, list: { ...NOTES.list, items: 'data.rows' } })
  await expect(other.syncSource!(ROW)!.page(undefined, NEVER)).rejects.toThrow('without a list')
  await other.close()
})
