import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import type { SandboxState } from '@capstan/harness/sandbox'
import { UNCONFINED } from '@capstan/harness/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startComposioServer } from '../../../connectors/src/composio/composio-server.fixture.ts'
import type { Update } from './assistant.ts'
import type { World } from './assistant.fixture.ts'
import {
  ask,
  connectNotes,
  createFolder,
  NO_MODELS,
  openWorld,
  signIn,
  startNotes,
  toPreset,
} from './assistant.fixture.ts'

const TIMEOUT = { timeout: 60_000 }
const PROMPT = 'Save the packing list for Sandholm to my Notes'

type Of<Type extends Update['type']> = Extract<Update, { type: Type }>
const updatesOf = <Type extends Update['type']>({ updates }: World, type: Type): readonly Of<Type>[] =>
  updates.filter((one): one is Of<Type> => one.type === type)

describe('an assistant', TIMEOUT, () => {
  it('publishes every change of a thread, from the first event to the last', async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    const turn = ask(world, PROMPT)
    const card = await world.findEvent('connection-request')
    await world.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'waiting')
    await signIn(world.assistant, app, card.connectionId)
    const { approvalId } = await world.findEvent('approval-request')
    await world.findUpdate((one) => one.type === 'approval-change')
    await world.assistant.threadsOf('local').answer(approvalId, 'allow-once')
    await turn
    await world.findUpdate(
      (one) => one.type === 'thread-change' && one.thread.title !== '' && one.thread.activity === undefined,
    )

    const activities = updatesOf(world, 'thread-change').map(({ thread }) => thread.activity ?? 'none')
    expect(activities.filter((one, index) => one !== activities[index - 1])).toEqual([
      'none',
      'running',
      'waiting',
      'running',
      'waiting',
      'running',
      'none',
    ])
    const approvals = updatesOf(world, 'approval-change').map(({ approval }) => approval)
    expect(approvals.map(({ decision }) => decision)).toEqual([undefined, 'allow-once'])
    expect(Object.keys(approvals[0]!)).not.toContain('signature')
    expect(updatesOf(world, 'connection-change').map(({ connection }) => connection.status)).toEqual([
      'pending',
      'active',
    ])
    const seqs = updatesOf(world, 'turn-event').map(({ event }) => event.seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect(world.problems).toEqual([])
  })

  it('resumes a parked turn after a restart and repeats no call', async () => {
    const app = await startNotes()
    const folder = await createFolder()
    const first = await openWorld({ folder, presets: [toPreset(app)] })
    await connectNotes(first, app)
    ask(first, PROMPT).catch(() => {})
    const { approvalId } = await first.findEvent('approval-request')
    await first.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'waiting')
    await first.assistant.stop({ graceMs: 0 })

    const second = await openWorld({ folder, presets: [toPreset(app)] })
    expect(await second.assistant.threadsOf('local').answer(approvalId, 'allow-once')).toBe('accepted')
    const end = await second.findEvent('turn-end', ({ outcome }) =>
      outcome.text.startsWith('It is in your Notes'),
    )
    expect(end.outcome.type).toBe('done')
    const pages = app.pages.list('ada').filter(({ title }) => title === 'Packing for Sandholm')
    expect(pages).toHaveLength(1)
  })

  it('publishes that an approval is withdrawn when its turn is stopped', async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    await connectNotes(world, app)
    ask(world, PROMPT).catch(() => {})
    const { threadId } = await world.findEvent('approval-request')
    await world.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'waiting')
    const session = await world.assistant.threadsOf('local').open(threadId)
    session.stop()
    const withdrawn = await world.findUpdate(
      (one) => one.type === 'approval-change' && one.approval.decision !== undefined,
    )
    expect(withdrawn).toMatchObject({ approval: { decision: 'withdrawn' } })
  })

  it('applies a changed setting from the next turn of an open thread', async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    await connectNotes(world, app)
    const threads = world.assistant.threadsOf('local')
    const { id } = await threads.create()
    await (await threads.open(id)).send('What time is it?')
    await world.assistant.changeSettings('local', { safetyMode: 'read-only' })
    const refused = await (await threads.open(id)).send(PROMPT)
    expect(refused.text).toContain('the safety mode is read-only')
    await world.assistant.changeSettings('local', { safetyMode: 'full' })
    const done = await (await threads.open(id)).send(PROMPT)
    expect(done.text).toContain('It is in your Notes.')
    expect(updatesOf(world, 'turn-event').filter(({ event }) => event.type === 'prefix-break')).toEqual([])
  })

  it('resumes a parked turn after the settings changed', async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    await connectNotes(world, app)
    const turn = ask(world, PROMPT)
    const { approvalId, threadId } = await world.findEvent('approval-request')
    await world.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'waiting')
    await world.assistant.changeSettings('local', { theme: 'dark', model: 'demo' })
    const threads = world.assistant.threadsOf('local')
    await threads.open(threadId)
    expect(await threads.answer(approvalId, 'allow-once')).toBe('accepted')
    expect(await turn).toMatchObject({ type: 'done', text: expect.stringContaining('It is in your Notes.') })
  })

  it('reads files only in folders that are allowed at that time', async () => {
    const folder = await createFolder()
    const root = await createFolder()
    await writeFile(join(root, 'tides.txt'), 'High at six.')
    const model = new ScriptedModel(
      calls('read_file', { path: 'tides.txt' }),
      says('Read.'),
      calls('read_file', { path: 'tides.txt' }),
      says('Not read.'),
    )
    const world = await openWorld({ folder, model })
    await world.assistant.changeSettings('local', { roots: [root] })
    const threads = world.assistant.threadsOf('local')
    const { id } = await threads.create()
    await (await threads.open(id)).send('Read it.')
    await world.assistant.changeSettings('local', { roots: [] })
    await (await threads.open(id)).send('Again.')
    const ends = updatesOf(world, 'turn-event').flatMap(({ event }) =>
      event.type === 'tool-end' ? [event] : [],
    )
    expect(ends).toMatchObject([
      { ok: true, output: expect.stringContaining('High at six.') },
      { ok: false, failure: { class: 'blocked_by_policy' } },
    ])
    expect(JSON.stringify(model.request(3).tools)).toBe(JSON.stringify(model.request(0).tools))
    expect(model.request(3).system).toBe(model.request(0).system)
  })

  it('hides the keys in the settings from the model', async () => {
    const key = 'a-key-of-no-known-form-0123456789'
    const folder = await createFolder()
    const root = await createFolder()
    await writeFile(join(root, 'notes.txt'), `the key is ${key}`)
    const model = new ScriptedModel(calls('read_file', { path: 'notes.txt' }), says('Read.'))
    const world = await openWorld({ folder, model })
    await world.assistant.changeSettings('local', { roots: [root], modelKeys: { openai: key } })
    await ask(world, 'Read it.')
    expect(JSON.stringify(model.request(1).messages)).not.toContain(key)
    expect(JSON.stringify(world.updates)).not.toContain(key)
  })

  it('loads the agents of its folder and reports an invalid file', async () => {
    const folder = await createFolder()
    await mkdir(join(folder, 'agents'))
    await writeFile(
      join(folder, 'agents', 'gardener.md'),
      '---\nid: gardener\ndescription: Knows plants.\nagents: [integrations_agent]\n---\nYou know plants.\n',
    )
    await writeFile(join(folder, 'agents', 'broken.md'), 'no front matter')
    const model = new ScriptedModel(says('Hello.'))
    const world = await openWorld({ folder, model })
    await ask(world, 'Hello')
    const names = model.request(0).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['delegate_to_gardener', 'delegate_to_integrations_agent']))
    expect(world.problems.map(String)).toEqual([expect.stringContaining('agents/broken.md')])
  })

  it('rejects with a locked error when another process owns the folder', async () => {
    const folder = await createFolder()
    await openWorld({ folder })
    await expect(openWorld({ folder })).rejects.toMatchObject({ name: 'StoreError', kind: 'locked' })
  })

  it('does not start with a named model that has no key', async () => {
    const folder = await createFolder()
    await expect(openWorld({ folder, modelName: 'openai/gpt-6-sol' })).rejects.toMatchObject({
      field: 'OPENAI_API_KEY',
    })
    // The folder is not locked any more.
    expect((await openWorld({ folder })).assistant.readSettings('local').modelInUse.isDemo).toBe(true)
  })

  it('resets the memory of one user only', async () => {
    const { assistant } = await openWorld()
    const { memory } = assistant.store
    const fact = {
      id: 'f',
      text: 'Likes tea.',
      status: 'accepted',
      origin: {},
      createdAt: 1,
      changedAt: 1,
    } as const
    for (const userId of ['local', 'grace']) {
      await memory.put(userId, [
        {
          id: 'n',
          app: 'notes',
          externalId: 'n',
          at: 1,
          title: 'Tea',
          text: 'Green.',
          people: [],
          seenAt: 1,
        },
      ])
      await memory.facts.add(userId, fact)
    }
    await assistant.reset('local')
    expect([await memory.list('local'), await memory.facts.list('local')]).toEqual([[], []])
    expect(await memory.list('grace')).toHaveLength(1)
    expect(await memory.facts.list('grace')).toEqual([fact])
  })

  it('resets the threads and connections of one user only', async () => {
    const app = await startNotes()
    const world = await openWorld({ presets: [toPreset(app)] })
    await connectNotes(world, app)
    await ask(world, 'What time is it?')
    const { id } = await world.assistant.threadsOf('local').create({ title: 'Old' })
    await world.assistant.threadsOf('local').archive(id)
    await world.assistant.threadsOf('grace').create({ title: 'Hers' })
    await world.assistant.reset('local')
    expect(await world.assistant.threadsOf('local').list()).toEqual([])
    expect(await world.assistant.threadsOf('local').list({ archived: true })).toEqual([])
    expect(await world.assistant.integrations.connections.list('local')).toEqual([])
    expect(await world.assistant.threadsOf('grace').list()).toHaveLength(1)
    expect(updatesOf(world, 'thread-remove')).toHaveLength(2)
  })

  it('tests a model and classifies what is wrong with it', async () => {
    const { assistant } = await openWorld()
    expect(await assistant.testModel('local')).toMatchObject({ ok: true, model: 'demo/scripted' })
    expect(await assistant.testModel('local', 'openai/gpt-6-sol')).toMatchObject({
      ok: false,
      failure: { class: 'bad_credentials', next: 'Enter its key in the settings.' },
    })
    expect(await assistant.testModel('local', 'http://127.0.0.1:9/v1#x')).toMatchObject({
      ok: false,
      failure: { class: 'model_unreachable' },
    })
  })

  it('diagnoses each of its parts', async () => {
    const app = await startNotes()
    const webRoot = await createFolder()
    const { assistant } = await openWorld({ presets: [toPreset(app)], webRoot })
    const states = async () =>
      Object.fromEntries((await assistant.diagnose()).checks.map(({ id, state }) => [id, state]))
    expect(await states()).toEqual({
      node: 'ok',
      store: 'ok',
      disk: 'ok',
      model: 'ok',
      embeddings: 'ok',
      apps: 'ok',
      sandbox: expect.stringMatching(/^(ok|warning)$/),
      'demo-app': 'ok',
      'web-app': 'failed',
      clock: 'ok',
    })
    await writeFile(join(webRoot, 'index.html'), '<!doctype html>')
    await app.close()
    expect(await states()).toMatchObject({ 'web-app': 'ok', 'demo-app': 'failed' })
  })

  it('warns about a sandbox that works while nothing but a watch holds its processes', async () => {
    const found = 'Programs are confined. But their processes are only counted.'
    const next = 'Run Capstan as a normal user.'
    const works = { state: 'works', found } as const
    const diagnoseWith = async (state: SandboxState) => {
      const sandbox = { ...UNCONFINED, isConfining: true, check: () => Promise.resolve(state) }
      const { assistant } = await openWorld({ sandbox })
      return (await assistant.diagnose()).checks.find(({ id }) => id === 'sandbox')
    }
    expect(await diagnoseWith({ ...works, next })).toEqual({
      id: 'sandbox',
      state: 'warning',
      finding: { code: 'sandbox-unlimited', detail: found },
      remedy: 'sandbox-unlimited',
      found,
      next,
    })
    expect(await diagnoseWith(works)).toMatchObject({ state: 'ok', finding: { code: 'sandbox' }, found })
  })
})

describe('Composio', TIMEOUT, () => {
  it('is connected while its key is set', async () => {
    const service = await startComposioServer()
    onTestFinished(() => service.close())
    const world = await openWorld({ env: { ...NO_MODELS, COMPOSIO_BASE_URL: service.url } })
    const { assistant } = world
    const slugs = async () =>
      (await assistant.integrations.directory.read('local')).toolkits.map(({ connector }) => connector)
    expect(await slugs()).toEqual([])
    await assistant.changeSettings('local', { composioKey: service.apiKey })
    expect(assistant.readSettings('local').composio).toEqual({ isSet: true })
    expect(await slugs()).toContain('composio')
    await world.findUpdate(({ type }) => type === 'toolkits-change')
    expect(JSON.stringify(world.updates)).not.toContain(service.apiKey)
    await assistant.changeSettings('local', { composioKey: '' })
    expect(assistant.readSettings('local').composio).toEqual({ isSet: false })
    expect(await slugs()).toEqual([])
  })
})
