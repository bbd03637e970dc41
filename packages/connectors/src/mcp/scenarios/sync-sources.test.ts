import { runSync } from '@capstan/harness/memory'
import type { SyncSource, SyncState } from '@capstan/harness/memory'
import { systemClock } from '@capstan/harness/seams'
import { createMemoryStore } from '@capstan/harness/stores'
import { testSyncSource } from '@capstan/harness/testing/suites'
import type { SyncMapping } from '@capstan/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import type { LibraryDocument, LibraryServer } from './library-server.fixture.ts'
import { startLibraryServer } from './library-server.fixture.ts'
import type { McpWorld } from './mcp-world.fixture.ts'
import { connectionTo, createMcpWorld } from './mcp-world.fixture.ts'

const NEVER = new AbortController().signal
const MAPPING: SyncMapping = {
  list: {
    action: 'list_documents',
    args: { query: '' },
    cursor: 'page',
    items: 'found.documents',
    next: 'nextPage',
  },
  read: { action: 'read_document', id: 'uri' },
  fields: {
    id: 'uri',
    version: 'version',
    at: 'at',
    title: 'name',
    text: 'text',
    link: 'uri',
    people: 'people',
  },
}
const DOCUMENTS: readonly LibraryDocument[] = Array.from({ length: 5 }, (_, index) => ({
  uri: `file:///library/${index}.txt`,
  name: `Chapter ${index}`,
  text: `The text of chapter ${index}.`,
  ...(index > 0 && { changedAt: `2026-01-0${index}T00:00:00Z` }),
}))

function openSource(
  url: string,
  sync?: SyncMapping,
): { readonly world: McpWorld; readonly source: SyncSource } {
  const transport = { type: 'http', url } as const
  const world = createMcpWorld([{ slug: 'library', transport, auth: 'none', ...(sync && { sync }) }])
  return { world, source: world.connector.syncSource!(connectionTo('library'))! }
}

for (const [name, mapping] of [
  ['the resources of an MCP server', undefined],
  ['a mapping of an MCP server', MAPPING],
] as const) {
  testSyncSource(name, async () => {
    const server = await startLibraryServer(DOCUMENTS)
    const { world, source } = openSource(server.url, mapping)
    return {
      source,
      items: Object.fromEntries(DOCUMENTS.map(({ uri, text }) => [uri, text])),
      change(id, text) {
        const changed = { text, changedAt: '2026-02-01T00:00:00Z' }
        server.documents = server.documents.map((one) => (one.uri === id ? { ...one, ...changed } : one))
      },
      remove(id) {
        server.documents = server.documents.filter(({ uri }) => uri !== id)
      },
      hang: () => void (server.state = 'hangs'),
      breakDown: () => void (server.state = 'fails'),
      plant(text) {
        const more = {
          title: text,
          people: [text, ...Array.from({ length: 100 }, () => 'Eve')],
          version: text,
          at: text,
        }
        const one = { uri: text, name: text, text: text + text, more }
        server.documents = [one, one, { ...one, uri: 'file:///same' }, { ...one, uri: 'file:///same' }]
      },
      async stop() {
        await world.connector.close()
        await server.stop()
      },
    }
  })
}

describe('a sync of an MCP server', () => {
  const opened: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.stop()
  })

  async function open(documents = DOCUMENTS, mapping?: SyncMapping) {
    const server: LibraryServer = await startLibraryServer(documents)
    const { world, source } = openSource(server.url, mapping)
    opened.push(server, { stop: () => world.connector.close() })
    const { memory } = createMemoryStore()
    let state: SyncState | undefined
    const sync = async () => {
      server.asked.length = 0
      const account = { app: 'library', account: 'ada' }
      const ran = await runSync({
        source,
        memory,
        userId: 'ana',
        account,
        clock: systemClock,
        signal: NEVER,
        limits: { days: 0 },
        save: (next) => void (state = structuredClone(next)),
        ...(state && { state }),
      })
      return ran
    }
    return { server, world, source, memory, sync }
  }

  it('stores its resources, reads only what has another time, and stores only what has another text', async () => {
    const { server, sync, memory } = await open()
    expect((await sync()).state.counts).toMatchObject({ added: 5, failed: 0, pages: 3 })
    // The first has no time: it is read again, and found unchanged.
    expect((await sync()).state.counts).toMatchObject({ added: 0, changed: 0, unchanged: 5, removed: 0 })
    expect(server.asked.filter((asked) => asked.startsWith('resources/read'))).toEqual([
      'resources/read file:///library/0.txt',
    ])
    server.documents = server.documents.slice(1)
    expect((await sync()).state.counts).toMatchObject({ removed: 1 })
    expect(await memory.list('ana')).toHaveLength(4)
  })

  it('leaves out files without text, and asks nobody but the server for an address', async () => {
    const elsewhere = await startLibraryServer([])
    opened.push(elsewhere)
    const { server, sync, memory } = await open([
      { uri: 'file:///photo.png', name: 'Photo', text: '', more: { mimeType: 'image/png' } },
      { uri: elsewhere.url, name: 'Elsewhere', text: 'Said by the library.' },
    ])
    await sync()
    expect(await memory.list('ana')).toMatchObject([
      { title: 'Elsewhere', text: 'Said by the library.', app: 'library' },
    ])
    expect(server.asked).toEqual(['resources/list', `resources/read ${elsewhere.url}`])
    expect(elsewhere.asked).toEqual([])
  })

  it.each([
    ['resources', undefined],
    ['a mapping', MAPPING],
  ])(
    'notices a list that leads back to an earlier page, with %s, and removes nothing',
    async (_, mapping) => {
      const { server, sync, memory } = await open(DOCUMENTS, mapping)
      await sync()
      const list = (page: number) => ({ found: { documents: [] }, nextPage: page === 1 ? 2 : 1 })
      server.instead.set('resources/list', ({ cursor }) => ({
        resources: [],
        nextCursor: cursor === 'a' ? 'b' : 'a',
      }))
      server.instead.set('tools/call', (params) => {
        const { page = 0 } = params['arguments'] as { page?: number }
        return { content: [{ type: 'text', text: JSON.stringify(list(page)) }] }
      })
      await expect(sync()).rejects.toThrow('leads back')
      expect(await memory.list('ana')).toHaveLength(5)
    },
  )

  it('ends an endless list at its caps, and goes on at the next run', async () => {
    const { server, sync, memory } = await open([])
    let count = 0
    server.instead.set('resources/list', () => ({
      resources: [{ uri: `file:///${count}`, name: 'One of many' }],
      nextCursor: String(++count),
    }))
    server.instead.set('resources/read', ({ uri }) => ({ contents: [{ uri, text: 'Again.' }] }))
    expect((await sync()).end).toBe('pages')
    expect(await memory.list('ana', { limit: 500 })).toHaveLength(200)
  })

  it('is not offered for a server that is known to have no resources, and says so before it is known', async () => {
    const { server, world, source } = await open()
    server.hasResources = false
    await expect(source.page(undefined, NEVER)).rejects.toThrow('no resources')
    expect(world.connector.syncSource!(connectionTo('library'))).toBeUndefined()
    expect(world.connector.syncSource!(connectionTo('another'))).toBeUndefined()
  })

  it('refuses a mapping to an action that does not only read, or does not exist', async () => {
    const { server, source } = await open(DOCUMENTS, {
      ...MAPPING,
      list: { ...MAPPING.list, action: 'delete_document' },
    })
    await expect(source.page(undefined, NEVER)).rejects.toThrow('only reads')
    const other = await open(DOCUMENTS, { ...MAPPING, list: { ...MAPPING.list, action: 'nothing' } })
    await expect(other.source.page(undefined, NEVER)).rejects.toThrow('no action')
    expect([...server.asked, ...other.server.asked]).toEqual([])
  })

  it('keeps an item in its own app whatever the item claims', async () => {
    const { sync, memory } = await open(DOCUMENTS, MAPPING)
    await sync()
    expect(new Set((await memory.list('ana')).map(({ app }) => app))).toEqual(new Set(['library']))
  })
})
