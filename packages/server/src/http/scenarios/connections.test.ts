import { createLocalConnector } from '@capstan/connectors'
import type { BusEvent } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import type { ActionEffectPut, ActionList, ConnectionRow, SignInReply, ToolkitList } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

async function start() {
  const store = createMemoryStore()
  const connector = createLocalConnector({
    vault: store.connections.vault,
    toolkits: [
      {
        slug: 'notes',
        name: 'Notes',
        description: 'Pages.',
        actions: [
          {
            name: 'look',
            description: 'Looks.',
            input: { type: 'object' },
            effect: 'read',
            run: () => 'seen',
          },
        ],
      },
      {
        slug: 'mail',
        name: 'Mail',
        description: 'Letters.',
        auth: 'key',
        checkKey: (key) => (key === 'good-key' ? { ok: true, label: 'ada@example.org' } : { ok: false }),
        actions: [],
      },
    ],
  })
  const server = await startTestServer({ store, connectors: [connector] })
  const client = await server.logIn()
  const connect = (toolkit: string) => client.json<ConnectionRow>('POST', '/api/connections', { toolkit })
  const signIn = (id: string) => client.json<SignInReply>('POST', `/api/connections/${id}/sign-in`)
  const list = async () => (await client.json<ToolkitList>('GET', '/api/toolkits')).toolkits
  return { server, store, client, connect, signIn, list }
}

describe('an app', () => {
  it('without a sign-in connects at once', async () => {
    const { connect, signIn, list } = await start()
    const { id, status } = await connect('notes')
    expect(status).toBe('pending')
    expect(await signIn(id)).toMatchObject({ type: 'settled', connection: { id, status: 'active' } })
    const notes = (await list()).find(({ slug }) => slug === 'notes')
    expect(notes).toMatchObject({ isOwn: false, connections: [{ id, status: 'active', isDefault: true }] })
  })

  it('shows what its actions count as, and takes a choice for the definition that was shown', async () => {
    const { client, connect, signIn } = await start()
    await expect(client.json('GET', '/api/toolkits/notes/actions')).rejects.toThrow('404')
    await signIn((await connect('notes')).id)
    const actions = async () => (await client.json<ActionList>('GET', '/api/toolkits/notes/actions')).actions
    const [look] = await actions()
    expect(look).toMatchObject({ name: 'look', effect: 'read', because: 'code' })
    const choose = (choice: ActionEffectPut) =>
      client.json('PUT', '/api/toolkits/notes/action-effect', choice)
    await choose({ action: 'look', effect: 'admin', digest: look!.digest })
    expect(await actions()).toMatchObject([{ effect: 'admin', because: 'user' }])
    await expect(choose({ action: 'look', effect: 'read', digest: 'another' })).rejects.toThrow('409')
    await expect(choose({ action: 'none', effect: 'read', digest: 'x' })).rejects.toThrow('404')
    await choose({ action: 'look', effect: null, digest: look!.digest })
    expect(await actions()).toMatchObject([{ effect: 'read', because: 'code' }])
  })

  it('asks for a key, stores it and never returns it', async () => {
    const { client, connect, signIn, list } = await start()
    const { id } = await connect('mail')
    expect(await signIn(id)).toEqual({ type: 'key' })
    const bad = await client.json<ConnectionRow>('POST', `/api/connections/${id}/key`, { key: 'bad-key' })
    expect(bad.status).toBe('failed')
    const good = await client.json<ConnectionRow>('POST', `/api/connections/${id}/key`, {
      key: 'good-key',
    })
    expect(good).toMatchObject({ status: 'active', label: 'ada@example.org' })
    expect(JSON.stringify([good, await list()])).not.toContain('good-key')
    const again = client.json('POST', `/api/connections/${id}/key`, { key: 'other-key' })
    await expect(again).rejects.toThrow('409')
  })

  it('refuses a key it does not need', async () => {
    const { client, store, connect } = await start()
    const { id } = await connect('notes')
    const sent = client.json('POST', `/api/connections/${id}/key`, { key: 'a-key' })
    await expect(sent).rejects.toThrow('"field":"key"')
    expect(await store.connections.vault.read(id)).toBeUndefined()
  })

  it('has a limit of connections, separate from other apps', async () => {
    const { client, connect } = await start()
    const made = []
    for (let count = 0; count < 50; count++) made.push(await connect('notes'))
    await expect(connect('notes')).rejects.toThrow('409')
    expect((await connect('mail')).status).toBe('pending')
    await client.json('DELETE', `/api/connections/${made[0]!.id}`)
    expect((await connect('notes')).status).toBe('pending')
  })

  it('is not found when its slug is unknown', async () => {
    const { client, connect } = await start()
    await expect(connect('nothing')).rejects.toThrow('404')
    const scopes = { read: true, write: true, admin: true }
    await expect(client.json('PUT', '/api/toolkits/nothing/scopes', scopes)).rejects.toThrow('404')
  })

  it('can change its default account, and pages receive the change', async () => {
    const { client, connect, signIn, list } = await start()
    const ids = [(await connect('notes')).id, (await connect('notes')).id]
    for (const id of ids) await signIn(id)
    const socket = client.open()
    await socket.emitWithAck('thread-watch', { threadId: 'none' as never, after: 0 })
    const received = new Promise<ConnectionRow>((resolve) => socket.once('connection-change', resolve))
    await client.json('POST', `/api/connections/${ids[1]}/default`)
    expect(await received).toMatchObject({ id: ids[1], isDefault: true })
    const defaults = (await list())[0]!.connections.filter(({ isDefault }) => isDefault)
    expect(defaults.map(({ id }) => id)).toEqual([ids[1]])
  })

  it('has scopes per user, and pages and running turns receive the change', async () => {
    const { server, client, list } = await start()
    const published: BusEvent[] = []
    server.assistant.integrations.bus.subscribe((event) => published.push(event))
    const socket = client.open()
    await socket.emitWithAck('thread-watch', { threadId: 'none' as never, after: 0 })
    const received = new Promise<void>((resolve) => socket.once('toolkits-change', resolve))
    const scopes = { read: true, write: false, admin: false }
    expect(await client.json('PUT', '/api/toolkits/notes/scopes', scopes)).toEqual(scopes)
    await received
    expect(published).toEqual([{ type: 'scopes-changed', userId: 'local', toolkit: 'notes', scopes }])
    expect((await list()).find(({ slug }) => slug === 'notes')!.scopes).toEqual(scopes)
    const eve = await server.logIn('eve')
    const hers = await eve.json<ToolkitList>('GET', '/api/toolkits')
    expect(hers.toolkits.find(({ slug }) => slug === 'notes')!.scopes.write).toBe(true)
  })

  it('cannot be signed in to again after it was disconnected', async () => {
    const { client, connect, signIn, list } = await start()
    const { id } = await connect('notes')
    await signIn(id)
    await client.json('DELETE', `/api/connections/${id}`)
    expect((await list())[0]!.connections).toEqual([])
    await expect(signIn(id)).rejects.toThrow('404')
    await expect(client.json('DELETE', `/api/connections/${id}`)).rejects.toThrow('404')
  })
})
