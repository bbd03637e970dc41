import { runSync } from '@capstan/harness/memory'
import type { SyncState } from '@capstan/harness/memory'
import { systemClock } from '@capstan/harness/seams'
import { createMemoryConnectionStore, createMemoryStore } from '@capstan/harness/stores'
import { testSyncSource } from '@capstan/harness/testing/suites'
import type { ConnectionRow } from '@capstan/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createComposioConnector } from './composio-connector.ts'
import { startComposioServer, tool } from './composio-server.fixture.ts'
import type { AppItem, AppName } from './synced-apps.fixture.ts'
import { addApp } from './synced-apps.fixture.ts'

const NEVER = new AbortController().signal
const NEWEST = Date.UTC(2026, 0, 10)
const DAY_MS = 86_400_000

const ITEMS: readonly AppItem[] = Array.from({ length: 5 }, (_, index) => ({
  id: `https://example.slack.com/archives/C1/p${index}`,
  title: `Plans ${index}`,
  text: `The boat number ${index} is painted.`,
  at: NEWEST - index * DAY_MS,
}))

async function open(name: AppName, items: readonly AppItem[] = ITEMS) {
  const server = await startComposioServer()
  const app = addApp(server, name)
  app.items = items
  const { vault } = createMemoryConnectionStore()
  const connector = createComposioConnector({ apiKey: server.apiKey, baseUrl: server.url, vault })
  const row: ConnectionRow = {
    id: 'connection_1',
    userId: 'ana',
    connector: 'composio',
    toolkit: name,
    status: 'active',
    label: '',
    isDefault: true,
    createdAt: 1,
    updatedAt: 1,
  }
  const redirectUri = 'http://127.0.0.1:8787/oauth/callback'
  const step = await connector.beginSignIn({ ...row, status: 'pending' }, { state: 's', redirectUri })
  if (step.type !== 'visit') throw new Error(JSON.stringify(step))
  await fetch(`${step.url}?answer=allow`, { redirect: 'manual' })
  const { memory } = createMemoryStore()
  let state: SyncState | undefined
  return {
    server,
    app,
    connector,
    row,
    source: connector.syncSource!(row)!,
    memory,
    sync: async () => {
      app.asked.length = 0
      return runSync({
        source: connector.syncSource!(row)!,
        memory,
        userId: 'ana',
        account: { app: name, account: 'ada' },
        clock: systemClock,
        signal: NEVER,
        limits: { days: 0 },
        save: (next) => void (state = structuredClone(next)),
        ...(state && { state }),
      })
    },
    stop: async () => {
      await connector.close()
      await server.close()
    },
  }
}

for (const name of ['notion', 'gmail', 'slack'] as const) {
  testSyncSource(`${name} behind Composio`, async () => {
    const { app, source, stop } = await open(name)
    return {
      source,
      items: Object.fromEntries(ITEMS.map(({ id, text }) => [id, text])),
      // A mail never changes.
      ...(name !== 'gmail' && {
        change(id: string, text: string) {
          const at = NEWEST + DAY_MS
          app.items = app.items.map((one) => (one.id === id ? { ...one, text, at } : one))
        },
      }),
      remove(id) {
        app.items = app.items.filter((one) => one.id !== id)
      },
      hang: () => void (app.state = 'hangs'),
      breakDown: () => void (app.state = 'fails'),
      plant(text) {
        const one = { id: text, title: text, text: text + text, at: NEWEST, people: [text] }
        app.items = [one, one, { ...one, id: 'https://example.com/same' }]
      },
      stop,
    }
  })
}

describe('a sync of an app behind Composio', () => {
  const opened: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.stop()
  })
  const start = async (...args: Parameters<typeof open>) => {
    const world = await open(...args)
    opened.push(world)
    return world
  }

  it('stores Notion pages with title, link and markdown, and reads only what changed afterwards', async () => {
    const { app, sync, memory } = await start('notion')
    expect((await sync()).state.counts).toMatchObject({ added: 5, failed: 0 })
    const [newest] = await memory.list('ana', { limit: 1 })
    expect(newest).toMatchObject({ title: 'Plans 0', text: ITEMS[0]!.text, at: NEWEST, app: 'notion' })
    expect(newest!.link).toContain('https://www.notion.so/')
    app.items = app.items.map((one, index) => (index === 0 ? { ...one, text: 'Sold.', at: NEWEST + 1 } : one))
    expect((await sync()).state.counts).toMatchObject({ added: 0, changed: 1 })
    expect(app.asked.filter(({ action }) => action === 'NOTION_GET_PAGE_MARKDOWN')).toHaveLength(1)
    expect(app.asked[0]!.args).toMatchObject({ filter_value: 'page', direction: 'descending' })
  })

  it('asks Gmail for one page when nothing is new, and keeps sender and subject', async () => {
    const { app, sync, memory } = await start('gmail')
    await sync()
    expect((await memory.list('ana', { limit: 1 }))[0]).toMatchObject({
      title: 'Plans 0',
      people: ['Ada <ada@example.com>'],
    })
    await sync()
    expect(app.asked).toHaveLength(1)
  })

  it('reads Slack messages page by page, with numbers, and keeps what is behind the last page that Slack shows', async () => {
    const many = Array.from({ length: 260 }, (_, index) => ({
      ...ITEMS[0]!,
      id: `https://example.slack.com/archives/C1/q${index}`,
      text: `Message ${index}`,
      at: NEWEST - index,
    }))
    const { app, sync, memory } = await start('slack', many)
    expect((await sync()).state).toMatchObject({ counts: { added: 200, pages: 100 }, end: 'done' })
    expect(app.asked.at(-1)!.args).toMatchObject({ page: 100, sort: 'timestamp' })
    app.items = [{ ...many[0]!, id: 'https://example.slack.com/archives/C1/new', at: NEWEST + 1 }, ...many]
    await sync()
    const { count } = (await memory.sources('ana'))[0]!
    expect(count).toBe(201)
  })

  it('takes an answer that is wrapped once more', async () => {
    const { app, sync } = await start('gmail')
    const messages = [
      { messageId: 'm1', subject: 'Hello', messageText: 'Text', messageTimestamp: '2026-01-01' },
    ]
    const data = { response_data: { messages } }
    app.instead.push({ body: { successful: true, error: null, data } })
    expect((await sync()).state.counts).toMatchObject({ added: 1 })
  })

  it('rejects with the facts of a refusal, and removes nothing', async () => {
    const { app, sync, memory } = await start('gmail')
    await sync()
    const data = { status_code: 429, retry_after: 7 }
    app.instead.push({ body: { successful: false, error: 'Slow down', data } })
    await expect(sync()).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 })
    app.instead.push({ body: { successful: true, error: null, data: { nothing: true } } })
    await expect(sync()).rejects.toThrow('without a list')
    expect(await memory.list('ana')).toHaveLength(5)
  })

  it('refuses an action that is said to change something, and is not offered for other apps', async () => {
    const { server, connector, row, source } = await start('slack')
    const at = server.tools.findIndex((one) => one['slug'] === 'SLACK_SEARCH_MESSAGES')
    server.tools[at] = tool('SLACK_SEARCH_MESSAGES', { toolkit: { slug: 'slack' }, tags: ['updateHint'] })
    await expect(source.page(undefined, NEVER)).rejects.toThrow('only reads')
    expect(connector.syncSource!({ ...row, toolkit: 'notes' })).toBeUndefined()
  })
})
