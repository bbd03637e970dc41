import { describe, expect, it } from 'vitest'
import { explainThread } from '../../ledger/explain-run.ts'
import { renderRunReport } from '../../ledger/render-run-report.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import type { RefreshFailure } from '../refresh-counts.ts'
import { connect, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'

describe('a refresh that fails', () => {
  it('keeps the apps that were known, is counted, and is told once in the story of the run', async () => {
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
    const story = start(model, store, { onRefreshFailure: (failure) => failures.push(failure) })
    await connect(story, 'notes')
    const { id } = await story.threads.create()
    const session = await story.threads.open(id)
    await session.load()
    expect(story.integrations.counts().refreshFailures).toBe(0)
    story.notes.hideToolkits(new Error('token secret-1 refused'))
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(story.notes.pages).toEqual(['Tea'])

    expect(story.events.filter(({ type }) => type === 'surface-stale')).toHaveLength(1)
    const told = explainThread(await store.ledger.read(session.threadId)).flatMap((run) =>
      renderRunReport(run),
    )
    const lines = told.map(({ text }) => text).filter((text) => text.includes('could not be refreshed'))
    expect(lines).toEqual([
      'The list of apps could not be refreshed: "fake" did not say which apps it has. It went on with what was known.',
    ])
    const { refreshes, refreshFailures } = story.integrations.counts()
    expect(refreshFailures).toBeGreaterThanOrEqual(2)
    expect(refreshes).toBeGreaterThan(refreshFailures)
    expect(failures).toHaveLength(refreshFailures)
    expect(failures[0]).toEqual({ what: 'apps', userId: 'local', source: 'fake' })
    expect(JSON.stringify([story.events, failures])).not.toContain('secret-1')
  })

  it('is told again when it fails anew after it had worked', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'))
    const story = start(model)
    const { id } = await story.threads.create()
    const session = await story.threads.open(id)
    const stale = () => story.events.filter(({ type }) => type === 'surface-stale').length
    const change = async () => void (await story.integrations.connections.begin('local', 'mail'))
    await session.send('hi')
    expect(stale()).toBe(0)
    story.notes.hideToolkits(new Error('away'))
    await change()
    await session.send('hi')
    expect(stale()).toBe(1)
    story.notes.hideToolkits(undefined)
    await change()
    await session.send('hi')
    expect(stale()).toBe(1)
    story.notes.hideToolkits(new Error('away'))
    await change()
    await session.send('hi')
    expect(stale()).toBe(2)
  })

  it('is a failure of the store, too, and nobody is said to be disconnected', async () => {
    const store = createMemoryStore()
    const model = new ScriptedModel(says('1'), says('2'))
    const story = start(model, store)
    const connection = await connect(story, 'notes')
    const { id } = await story.threads.create()
    const session = await story.threads.open(id)
    await session.send('hi')
    store.connections.list = () => Promise.reject(new Error('disk'))
    await story.integrations.connections.expire(connection.id, 'x').catch(() => {})
    await story.integrations.prewarm('local')
    await session.send('hi')
    expect(model.request(1).messages.filter(({ role }) => role === 'notice')).toEqual([])
    expect(story.events.filter(({ type }) => type === 'surface-stale')).toMatchObject([
      { reason: 'which accounts are connected could not be read' },
    ])
  })

  it('of the actions of an app is counted, and the failure of the call says so', async () => {
    const failures: RefreshFailure[] = []
    const model = new ScriptedModel(calls(DELEGATE, { toolkit: 'notes', prompt: 'x' }), says('Away.'))
    const story = start(model, undefined, { onRefreshFailure: (failure) => failures.push(failure) })
    await connect(story, 'notes')
    story.notes.hideActions(new Error('away'))
    const { id } = await story.threads.create()
    await (await story.threads.open(id)).send('go')
    expect(story.integrations.counts()).toMatchObject({ refreshFailures: 0, actionListFailures: 1 })
    expect(failures).toEqual([{ what: 'actions', userId: 'local', source: 'fake', toolkit: 'notes' }])
    const [end] = story.events.filter((event) => event.type === 'tool-end')
    expect(end).toMatchObject({ ok: false, output: expect.stringContaining('could not be asked') })
  })
})
