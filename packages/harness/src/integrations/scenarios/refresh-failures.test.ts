import { describe, expect, it } from 'vitest'
import { explainThread } from '../../ledger/report/explain-run.ts'
import { renderRunReport } from '../../ledger/report/render-run-report.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import type { RefreshFailure } from '../refresh-counts.ts'
import { connect, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'

describe('a refresh that fails', () => {
  it('keeps the known apps, is counted, and appears once in the run report', async () => {
    const store = createMemoryStore()
    const failures: RefreshFailure[] = []
    const model = new ScriptedModel(
      calls(DELEGATE, { toolkit: 'mail', prompt: 'x' }),
      calls(DELEGATE, { toolkit: 'mail', prompt: 'y' }),
      calls(DELEGATE, { toolkit: 'notes', prompt: 'Create "Tea".' }),
      calls('create_page', { title: 'Tea' }),
      says('Created.'),
      says('Done.'),
    )
    const world = start(model, store, { onRefreshFailure: (failure) => failures.push(failure) })
    await connect(world, 'notes')
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    await session.load()
    expect(world.integrations.counts().refreshFailures).toBe(0)
    world.notes.hideToolkits(new Error('token secret-1 refused'))
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(world.notes.pages).toEqual(['Tea'])

    expect(world.events.filter(({ type }) => type === 'surface-stale')).toHaveLength(1)
    const reported = explainThread(await store.ledger.read(session.threadId)).flatMap((run) =>
      renderRunReport(run),
    )
    const lines = reported.map(({ text }) => text).filter((text) => text.includes('could not be refreshed'))
    expect(lines).toEqual([
      'The list of apps could not be refreshed: "fake" did not say which apps it has. It went on with what was known.',
    ])
    const { refreshes, refreshFailures } = world.integrations.counts()
    expect(refreshFailures).toBeGreaterThanOrEqual(2)
    expect(refreshes).toBeGreaterThan(refreshFailures)
    expect(failures).toHaveLength(refreshFailures)
    expect(failures[0]).toEqual({ what: 'apps', userId: 'local', source: 'fake' })
    expect(JSON.stringify([world.events, failures])).not.toContain('secret-1')
  })

  it('is reported again when it fails after a success', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'))
    const world = start(model)
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    const stale = () => world.events.filter(({ type }) => type === 'surface-stale').length
    const change = async () => void (await world.integrations.connections.begin('local', 'mail'))
    await session.send('hi')
    expect(stale()).toBe(0)
    world.notes.hideToolkits(new Error('away'))
    await change()
    await session.send('hi')
    expect(stale()).toBe(1)
    world.notes.hideToolkits(undefined)
    await change()
    await session.send('hi')
    expect(stale()).toBe(1)
    world.notes.hideToolkits(new Error('away'))
    await change()
    await session.send('hi')
    expect(stale()).toBe(2)
  })

  it('of the store is reported, and no app is announced as disconnected', async () => {
    const store = createMemoryStore()
    const model = new ScriptedModel(says('1'), says('2'))
    const world = start(model, store)
    const connection = await connect(world, 'notes')
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    await session.send('hi')
    store.connections.list = () => Promise.reject(new Error('disk'))
    await world.integrations.connections.expire(connection.id, 'x').catch(() => {})
    await world.integrations.prewarm('local')
    await session.send('hi')
    expect(model.request(1).messages.filter(({ role }) => role === 'notice')).toEqual([])
    expect(world.events.filter(({ type }) => type === 'surface-stale')).toMatchObject([
      { reason: 'which accounts are connected could not be read' },
    ])
  })

  it('of an action list is counted, and the failure of the call says so', async () => {
    const failures: RefreshFailure[] = []
    const model = new ScriptedModel(calls(DELEGATE, { toolkit: 'notes', prompt: 'x' }), says('Away.'))
    const world = start(model, undefined, { onRefreshFailure: (failure) => failures.push(failure) })
    await connect(world, 'notes')
    world.notes.hideActions(new Error('away'))
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).send('go')
    expect(world.integrations.counts()).toMatchObject({ refreshFailures: 0, actionListFailures: 1 })
    expect(failures).toEqual([{ what: 'actions', userId: 'local', source: 'fake', toolkit: 'notes' }])
    const [end] = world.events.filter((event) => event.type === 'tool-end')
    expect(end).toMatchObject({ ok: false, output: expect.stringContaining('could not be asked') })
  })

  it('because a program does not start any more leaves its connection as failed, with the reason', async () => {
    const model = new ScriptedModel(calls(DELEGATE, { toolkit: 'notes', prompt: 'x' }), says('Away.'))
    const world = start(model)
    const { id: connectionId } = await connect(world, 'notes')
    world.notes.hideActions(Object.assign(new Error('away'), { cannotStart: 'It ended with exit code 3.' }))
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).send('go')
    expect(await world.integrations.connections.get('local', connectionId)).toMatchObject({
      status: 'failed',
      reason: 'It ended with exit code 3.',
    })
  })
})
