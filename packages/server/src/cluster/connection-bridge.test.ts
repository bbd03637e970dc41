import type { LocalToolkit } from '@capstan/connectors'
import { createLocalConnector, defineAction } from '@capstan/connectors'
import { createThreads } from '@capstan/harness'
import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { ConnectionsChanged } from '@capstan/harness/integrations'
import { describe, expect, it, vi } from 'vitest'
import { usePostgres } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { USER, connectApp, heard, isStatus, known, openNodes } from './scenarios/two-nodes.fixture.ts'

const postgres = usePostgres()

const toolkit = (slug: string): LocalToolkit => ({
  slug,
  name: slug,
  description: '',
  actions: [
    defineAction({
      name: 'create_page',
      description: 'Creates a page.',
      effect: 'write',
      input: { type: 'object', properties: {} },
      run: () => 'created',
    }),
  ],
})

async function openTwo() {
  const nodes = await openNodes(postgres, () => [
    createLocalConnector({ toolkits: [toolkit('notes'), toolkit('mail')] }),
  ])
  // Somebody uses the apps on both.
  for (const { integrations } of [nodes.a, nodes.b]) await integrations.prewarm(USER)
  return nodes
}

describe('a change of one node on the other', () => {
  it('an app that is connected is in the directory when the event comes, and wakes nobody', async () => {
    const { a, b } = await openTwo()
    let atEvent: unknown
    b.bridge.bus.subscribe((event) => {
      if (isStatus('active')(event)) atEvent = known(b, 'notes')?.connections.length
    })
    const id = await connectApp(a, 'notes')
    const event = (await heard(b, isStatus('active'))) as ConnectionsChanged
    expect(event).toMatchObject({ userId: USER, connection: { id, toolkit: 'notes', status: 'active' } })
    expect(atEvent).toBe(1)
    expect(a.ownEvents.filter(isStatus('active'))).toHaveLength(1)
    expect(b.ownEvents).toEqual([])
  })

  it('is not told back', async () => {
    const { a, b } = await openTwo()
    await connectApp(a, 'notes')
    await heard(b, isStatus('active'))
    // Rings of a node arrive in order: had it told anything back, that would be there before this.
    await b.integrations.connections.setScopes(USER, 'mail', { read: true, write: false, admin: false })
    await heard(a, ({ type }) => type === 'scopes-changed')
    expect(a.events.filter(({ type }) => type === 'connections-changed')).toHaveLength(2)
    expect(a.events).toHaveLength(a.ownEvents.length + 1)
  })

  it('reaches it for a disconnect, a lost sign-in, another default and scopes', async () => {
    const { a, b } = await openTwo()
    const first = await connectApp(a, 'notes')
    const second = await connectApp(a, 'notes')
    await vi.waitFor(() =>
      expect(known(b, 'notes')?.connections.map(({ id }) => id)).toEqual([first, second]),
    )

    await a.integrations.connections.makeDefault(USER, second)
    await vi.waitFor(() => expect(known(b, 'notes')?.connections[0]?.id).toBe(second))

    const scopes = { read: true, write: false, admin: false }
    await a.integrations.connections.setScopes(USER, 'notes', scopes)
    await heard(b, ({ type }) => type === 'scopes-changed')
    expect(known(b, 'notes')?.scopes).toEqual(scopes)

    await a.integrations.connections.expire(second, 'It is over.')
    await heard(b, isStatus('expired'))
    expect(known(b, 'notes')?.connections.map(({ id }) => id)).toEqual([first])

    await a.integrations.connections.disconnect(USER, first)
    await heard(b, isStatus('disconnected'))
    expect(known(b, 'notes')).toMatchObject({
      connections: [],
      standing: { status: 'expired', reason: 'It is over.' },
    })
  })

  it('reads nothing for a user who is not known there', async () => {
    const { a, b } = await openTwo()
    const begun = await a.integrations.connections.begin('bob', 'notes')
    await heard(b, ({ userId }) => userId === 'bob')
    expect(begun?.userId).toBe('bob')
    expect(b.integrations.directory.users()).toEqual([USER])
  })

  it('reaches a turn that runs there at its next model call', async () => {
    const { a, b } = await openTwo()
    const model = new ScriptedModel(calls('wait_for_app'), says('Done.'))
    const waits = stubTool('wait_for_app', async () => {
      await connectApp(a, 'notes')
      await heard(b, isStatus('active'))
      return 'go on'
    })
    const threads = createThreads({
      store: b.store,
      userId: USER,
      bus: b.bridge.own,
      agent: { model, ...b.integrations.forUser(USER, [waits]) },
    })
    const { id } = await threads.create()
    expect(await (await threads.open(id)).send('hi')).toMatchObject({ type: 'done' })
    expect(JSON.stringify(model.request(1).messages)).toContain('is connected now')
    await threads.stop({ graceMs: 0 })
  })

  it('is read after a gap, also what was disconnected', async () => {
    const { url, a, b } = await openTwo()
    const notes = await connectApp(a, 'notes')
    await heard(b, isStatus('active'))
    a.bridge.close() // nothing is rung
    await connectApp(a, 'mail')
    await a.integrations.connections.disconnect(USER, notes)
    await postgres.run(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'capstan bell' AND datname = current_database()`,
    )
    await heard(b, isStatus('disconnected'))
    expect(known(b, 'mail')?.connections).toHaveLength(1)
    expect(known(b, 'notes')?.connections).toEqual([])
    expect(b.events.at(-1)).toEqual({ type: 'toolkits-changed', userId: USER })
    expect(b.ownEvents).toEqual([])
  })

  it('reaches it for toolkits, once for all users', async () => {
    const { a, b } = await openTwo()
    await b.integrations.prewarm('bob')
    await a.integrations.addConnector(createLocalConnector({ id: 'more', toolkits: [toolkit('wiki')] }))
    await heard(b, ({ userId }) => userId === 'bob')
    await heard(b, ({ userId }) => userId === USER)
    expect(b.events.every(({ type }) => type === 'toolkits-changed')).toBe(true)
  })
})
