import { describe, expect, it, vi } from 'vitest'
import type { ToolkitRow } from '@capstan/protocol'
import type { BusEvent } from '../../ports/event-bus.ts'
import type { Connector } from '../../ports/connector.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { ConfigurationError } from '../../turn/errors.ts'
import { appNotices, connect, createNotes, start } from './notes-connector.fixture.ts'

/** The same app under other names, of which there may be more and fewer. */
function createShop(...slugs: string[]) {
  const { connector, pages } = createNotes()
  const listeners = new Set<(change: { toolkit: string }) => void>()
  let offered = slugs
  let isClosed = false
  const toRow = (slug: string): ToolkitRow => ({
    slug,
    name: slug.toUpperCase(),
    description: '',
    connector: 'shop',
    auth: 'oauth',
  })
  const shop: Connector = {
    ...connector,
    id: 'shop',
    toolkits: async () => offered.map(toRow),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => void (isClosed = true),
  }
  return {
    connector: shop,
    pages,
    listeners,
    isClosed: () => isClosed,
    offer(...now: string[]) {
      offered = now
      for (const listener of listeners) listener({ toolkit: now[0] ?? '' })
    },
  }
}

async function talk(story: ReturnType<typeof start>) {
  const { id } = await story.threads.create()
  return story.threads.open(id)
}

const heardBy = ({ integrations }: ReturnType<typeof start>) => {
  const heard: BusEvent[] = []
  integrations.bus.subscribe((event) => heard.push(event))
  return heard
}

describe('a connector that is added while turns run', () => {
  it('is told of at the next model call, and can be used by the same turn', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'x' }),
      calls('create_page', { title: 'A' }),
      says('Created.'),
      calls('delegate_to_integrations_agent', { toolkit: 'tea', prompt: 'y' }),
      calls('create_page', { title: 'B' }),
      says('Created.'),
      says('Done.'),
      says('Still.'),
    )
    const story = start(model)
    await connect(story, 'notes')
    const session = await talk(story)
    await session.load()
    const heard = heardBy(story)
    const shop = createShop('tea', 'cake')
    story.notes.whenExecuting(async () => {
      if (shop.listeners.size === 0) await story.integrations.addConnector(shop.connector)
      const [tea] = (await story.integrations.connections.list('local')).filter(
        (row) => row.toolkit === 'tea',
      )
      if (!tea) await connect(story, 'tea')
    })
    await session.send('go')
    expect(shop.pages).toEqual(['B'])
    await session.send('and?')
    expect(appNotices(model)).toEqual([
      expect.stringContaining('The app TEA is connected now'),
      'Apps that can be connected with connect_app from now on: cake.',
    ])
    expect(heard[0]).toEqual({ type: 'toolkits-changed', userId: 'local' })
  })

  it('is told of when it has more by itself, once, and not in a conversation that began later', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'))
    const story = start(model)
    const shop = createShop('tea')
    await story.integrations.addConnector(shop.connector)
    const session = await talk(story)
    await session.send('hi')
    const heard = heardBy(story)
    shop.offer('tea', 'cake')
    await vi.waitFor(() => expect(heard).toEqual([{ type: 'toolkits-changed', userId: 'local' }]))
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toEqual(['Apps that can be connected with connect_app from now on: cake.'])
    await (await talk(story)).send('hi')
    expect(model.request(3).system).toContain('cake')
    expect(appNotices(model)).toEqual([])
  })

  it('must have an id of its own', async () => {
    const story = start(new ScriptedModel())
    await expect(story.integrations.addConnector(createNotes().connector)).rejects.toThrow(ConfigurationError)
  })
})

describe('an app that is taken away while turns run', () => {
  it('is said to be gone, with its connector', async () => {
    const model = new ScriptedModel(says('1'), says('2'))
    const store = createMemoryStore()
    const story = start(model, store)
    const shop = createShop('tea')
    await story.integrations.addConnector(shop.connector)
    const connection = await connect(story, 'tea')
    const session = await talk(story)
    await session.send('hi')
    expect(await story.integrations.removeConnector('shop')).toBe(true)
    expect(await story.integrations.removeConnector('shop')).toBe(false)
    expect([shop.listeners.size, shop.isClosed()]).toEqual([0, true])
    await session.send('hi')
    expect(appNotices(model)).toEqual(['The app tea (toolkit "tea") is no longer connected.'])
    expect(await story.integrations.connections.disconnect('local', connection.id)).toBe(true)
    expect(await story.integrations.connections.list('local')).toEqual([])
  })

  it('is said to be gone when its connector does not list it any more', async () => {
    const model = new ScriptedModel(
      says('1'),
      calls('delegate_to_integrations_agent', { toolkit: 'tea', prompt: 'x' }),
      says('2'),
    )
    const story = start(model)
    const shop = createShop('tea')
    await story.integrations.addConnector(shop.connector)
    await connect(story, 'tea')
    const session = await talk(story)
    await session.send('hi')
    const heard = heardBy(story)
    shop.offer()
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    await session.send('hi')
    expect(appNotices(model)).toEqual(['The app tea (toolkit "tea") is no longer connected.'])
    expect(story.events.findLast((event) => event.type === 'tool-end')).toMatchObject({
      ok: false,
      output: expect.stringContaining('no longer offered'),
    })
  })

  it('leaves no listener behind', async () => {
    const story = start(new ScriptedModel())
    const shop = createShop('tea')
    await story.integrations.addConnector(shop.connector)
    expect(shop.listeners.size).toBe(1)
    await story.integrations.close()
    expect([shop.listeners.size, shop.isClosed()]).toEqual([0, true])
  })
})
