import { describe, expect, it } from 'vitest'
import type { ModelClient } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import type { ToolSource } from '@capstan/harness/seams'
import { createThreads, defineTool } from '@capstan/harness'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { ALLOW_ALL, calls, says, ScriptedModel } from '@capstan/harness/testing'
import { createInProcessApps } from './in-process-apps.fixture.ts'
import { VISITOR } from './world.fixture.ts'

const USER = VISITOR.userId

/** Everything that is asked for or built, counted. */
function start(mode: 'constant' | 'live-enum' = 'constant') {
  const apps = createInProcessApps({ slugs: ['notes', 'mail'] })
  const store = createMemoryStore()
  const integrations = createIntegrations({ connectors: [apps.connector], store: store.connections, mode })
  const counts = { configured: 0, ready: 0 }
  const versions = new Set<number>()
  const script = new ScriptedModel(
    ...Array.from({ length: 20 }, () => (request: ModelRequest) => {
      const last = request.messages.at(-1)!
      return last.role === 'user' ? calls('look_up') : says('Done.')
    }),
  )
  /** A provider's form is made once per list. */
  const lists = new Set<ModelRequest['tools']>()
  const model: ModelClient = {
    id: script.id,
    abilities: script.abilities,
    stream(request, signal, onPart) {
      lists.add(request.tools)
      return script.stream(request, signal, onPart)
    },
  }
  const lookUp = defineTool({
    name: 'look_up',
    description: 'Looks something up.',
    input: { type: 'object', properties: {} },
    effect: 'read',
    run: () => 'an entry',
  })
  const threads = createThreads({
    store,
    bus: integrations.bus,
    agent() {
      counts.configured++
      const { tools, agents, ready } = integrations.forUser(USER, [lookUp])
      return {
        model,
        origin: 'web',
        safety: ALLOW_ALL,
        tools: countSurfaces(tools, versions),
        agents,
        ready() {
          counts.ready++
          return ready()
        },
      }
    },
  })
  return { apps, integrations, threads, lists, counts, versions }
}

function countSurfaces(source: ToolSource, versions: Set<number>): ToolSource {
  return {
    ...source,
    current(since) {
      const offer = source.current(since)
      versions.add(offer.surface.version)
      return offer
    },
  }
}

describe('the first turn', () => {
  it.each(['constant', 'live-enum'] as const)(
    'fetches nothing and builds nothing again when the directory is warm (%s)',
    async (mode) => {
      const { apps, integrations, threads, lists, versions } = start(mode)
      const { id } = await threads.create()
      await integrations.prewarm(USER) // somebody opened the thread, or began to type
      await integrations.prewarm(USER)
      expect(apps.listings).toBe(1)
      const session = await threads.open(id)
      await session.load()
      const builtAtOpening = [...versions]
      expect(builtAtOpening).toHaveLength(1)

      expect(await session.send('Hello?')).toMatchObject({ type: 'done' })
      expect(apps.listings).toBe(1)
      expect([...versions]).toEqual(builtAtOpening)
      expect(lists.size).toBe(1)
    },
  )

  it('fetches exactly once when nothing is known yet, however many begin at once', async () => {
    const { apps, threads } = start()
    const rows = await Promise.all([threads.create(), threads.create(), threads.create()])
    expect(apps.listings).toBe(0)
    const ends = await Promise.all(rows.map(async ({ id }) => (await threads.open(id)).send('Hello?')))
    expect(ends.map(({ type }) => type)).toEqual(['done', 'done', 'done'])
    expect(apps.listings).toBe(1)
  })

  it('shares a fetch that is in progress', async () => {
    const { apps, integrations, threads } = start()
    const { id } = await threads.create()
    const typing = integrations.prewarm(USER)
    const outcome = await (await threads.open(id)).send('Hello?')
    await typing
    expect(outcome.type).toBe('done')
    expect(apps.listings).toBe(1)
  })
})

describe('the configuration', () => {
  it('is read once per session, and not per turn', async () => {
    const { apps, threads, lists, counts, versions } = start()
    const { id } = await threads.create()
    const session = await threads.open(id)
    for (const words of ['Hello?', 'And?', 'Well?']) {
      expect(await session.send(words)).toMatchObject({ type: 'done' })
      expect(await threads.open(id)).toBe(session)
    }
    expect(counts.configured).toBe(1)
    expect(counts.ready).toBe(1)
    expect(apps.listings).toBe(1)
    expect(versions.size).toBe(1)
    expect(lists.size).toBe(1)
  })
})
