import { ScriptedModel } from '@capstan/harness/testing'
import type { ConnectionRow, McpServerRow, ProposedMapping, SyncMapping, SyncView } from '@capstan/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startLibraryServer } from '../../../../connectors/src/mcp/scenarios/library-server.fixture.ts'
import { openAuth } from '../../auth/auth.ts'
import { startServer } from '../../serve.ts'
import { createFolder, openWorld } from '../../sessions/assistant.fixture.ts'
import type { Client } from '../test-server.fixture.ts'
import { redeem, toClient } from '../test-server.fixture.ts'

const MAPPING: SyncMapping = {
  list: { action: 'list_documents', cursor: 'page', items: 'found.documents', next: 'nextPage' },
  read: { action: 'read_document', id: 'uri' },
  fields: { id: 'uri', version: 'version', title: 'name', text: 'text' },
}

async function startLibrary() {
  const library = await startLibraryServer(
    ['a', 'b', 'c'].map((name) => ({ uri: `file:///${name}`, name, text: `The text of ${name}.` })),
  )
  library.hasResources = false
  onTestFinished(() => library.stop())
  return library
}

/** The real assistant behind HTTP, with the owner logged in. */
async function openOwner(folder: string) {
  const { assistant } = await openWorld({ folder, model: new ScriptedModel() })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port: 0, checkAnswers: true })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const logIn = async (userId: string) => {
    const answer = await redeem(server.url, auth.mintTicket(userId))
    return toClient(server, answer.headers.getSetCookie()[0]!.split(';')[0]!, userId)
  }
  return { assistant, owner: await logIn('local'), logIn }
}

type Owner = Awaited<ReturnType<typeof openOwner>>

async function addLibrary({ owner }: Owner, url: string): Promise<string> {
  await owner.json('POST', '/api/mcp-servers', { name: 'Library', transport: { type: 'http', url } })
  const { id } = await owner.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'library' })
  await owner.json('POST', `/api/connections/${id}/sign-in`)
  return id
}

const setSync = ({ owner }: Owner, sync: unknown) =>
  owner.json<McpServerRow>('PATCH', '/api/mcp-servers/library', { sync })

const send = (client: Client, method: string, path: string, body: unknown) =>
  client.request(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const untilDone = (world: Owner, id: string) =>
  vi.waitFor(
    async () => {
      const view = await world.owner.json<SyncView>('GET', `/api/connections/${id}/sync`)
      expect(view.lastDoneAt).toBeDefined()
      return view
    },
    { timeout: 20_000, interval: 20 },
  )

describe('a mapping that the owner sets for an MCP server', () => {
  it('is synced with, also after a restart, and taken away again', async () => {
    const library = await startLibrary()
    const folder = await createFolder()
    const first = await openOwner(folder)
    const id = await addLibrary(first, library.url)
    await first.owner.json('GET', '/api/toolkits')
    expect(await setSync(first, MAPPING)).toMatchObject({ slug: 'library', sync: MAPPING })
    await first.owner.json('PUT', `/api/connections/${id}/sync`, {})
    expect((await untilDone(first, id)).progress).toMatchObject({ added: 3, failed: 0 })
    await first.assistant.stop({ graceMs: 0 })

    const second = await openOwner(folder)
    const { servers } = await second.owner.json<{ servers: McpServerRow[] }>('GET', '/api/mcp-servers')
    expect(servers).toMatchObject([{ sync: MAPPING }])
    library.documents = library.documents.map((one) => ({ ...one, text: 'Rewritten.' }))
    await second.owner.json('PUT', `/api/connections/${id}/sync`, {})
    await vi.waitFor(async () => {
      const items = await second.assistant.store.memory.list('local')
      expect(items.map(({ text }) => text)).toEqual(['Rewritten.', 'Rewritten.', 'Rewritten.'])
    })
    expect(await setSync(second, null)).not.toHaveProperty('sync')
  })

  it('that changed begins the sync anew, and removes what it does not list', async () => {
    const library = await startLibrary()
    const world = await openOwner(await createFolder())
    const id = await addLibrary(world, library.url)
    await setSync(world, MAPPING)
    await world.owner.json('PUT', `/api/connections/${id}/sync`, {})
    await untilDone(world, id)
    // One page, and other ids.
    const { cursor: _, next: __, ...list } = MAPPING.list
    await setSync(world, { list, fields: { id: 'name', title: 'name' } })
    await world.owner.json('PUT', `/api/connections/${id}/sync`, {})
    await vi.waitFor(async () => {
      const items = await world.assistant.store.memory.list('local')
      expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(['a', 'b'])
    })
  })

  it.each([
    ['sync.list.items', { ...MAPPING, list: { action: 'list_documents' } }],
    ['sync.list', { ...MAPPING, list: { action: 'list_documents', items: 'a', cursor: 'page' } }],
    ['sync.fields', { list: { action: 'list_documents', items: 'a' }, fields: { id: 'uri' } }],
    ['sync.list.args', { ...MAPPING, list: { ...MAPPING.list, args: { query: 'x'.repeat(5_000) } } }],
    ['sync.app', { ...MAPPING, app: 'gmail' }],
  ])('is refused with the field %s, and changes nothing', async (field, sync) => {
    const library = await startLibrary()
    const world = await openOwner(await createFolder())
    await addLibrary(world, library.url)
    for (const [method, path, body] of [
      ['PATCH', '/api/mcp-servers/library', { sync }],
      ['POST', '/api/mcp-servers', { name: 'Two', transport: { type: 'http', url: library.url }, sync }],
    ] as const) {
      const answer = await send(world.owner, method, path, body)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { field } })
    }
    expect(world.assistant.listMcpServers()).toMatchObject([{ slug: 'library' }])
    expect(world.assistant.listMcpServers()[0]).not.toHaveProperty('sync')
  })

  it('may only be set by the owner, and is in the audit log', async () => {
    const library = await startLibrary()
    const world = await openOwner(await createFolder())
    await addLibrary(world, library.url)
    const eve = await world.logIn('eve')
    const answer = await send(eve, 'PATCH', '/api/mcp-servers/library', { sync: MAPPING })
    expect(answer.status).toBe(403)
    await setSync(world, MAPPING)
    const lines = await world.assistant.store.audit.read()
    expect(JSON.stringify(lines)).toContain('list_documents, read_document')
  })

  it('is proposed for a connected server, and set only by the owner', async () => {
    const library = await startLibrary()
    const world = await openOwner(await createFolder())
    const path = '/api/mcp-servers/library/sync-proposals'
    expect((await world.owner.request(path)).status).toBe(404)
    await world.owner.json('POST', '/api/mcp-servers', {
      name: 'Library',
      transport: { type: 'http', url: library.url },
    })
    expect((await world.owner.request(path)).status).toBe(409)
    const { id } = await world.owner.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'library' })
    await world.owner.json('POST', `/api/connections/${id}/sign-in`)
    const eve = await world.logIn('eve')
    expect((await eve.request(path)).status).toBe(403)
    const { proposals } = await world.owner.json<{ proposals: ProposedMapping[] }>('GET', path)
    expect(proposals).toMatchObject([
      {
        mapping: { list: MAPPING.list, read: MAPPING.read, fields: { id: 'uri', text: 'text' } },
        unsure: [],
      },
    ])
    expect(world.assistant.listMcpServers()[0]).not.toHaveProperty('sync')
    expect(library.asked.filter((asked) => asked.includes('delete'))).toEqual([])
    await setSync(world, proposals[0]!.mapping)
    await world.owner.json('PUT', `/api/connections/${id}/sync`, {})
    expect((await untilDone(world, id)).progress).toMatchObject({ added: 3, failed: 0 })
    library.state = 'fails'
    const scopes = { read: false, write: true, admin: false }
    await world.owner.json('PUT', '/api/toolkits/library/scopes', scopes)
    expect((await world.owner.request(path)).status).toBe(409)
  })
})
