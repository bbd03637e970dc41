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

async function talk(world: ReturnType<typeof start>) {
  const { id } = await world.threads.create()
  return world.threads.open(id)
}

const eventsOf = ({ integrations }: ReturnType<typeof start>) => {
  const published: BusEvent[] = []
  integrations.bus.subscribe((event) => published.push(event))
  return published
}

describe('a connector that is added while turns run', () => {
  it('is announced at the next model call, and the same turn can use it', async () => {
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
    const world = start(model)
    await connect(world, 'notes')
    const session = await talk(world)
    await session.load()
    const published = eventsOf(world)
    const shop = createShop('tea', 'cake')
    world.notes.whenExecuting(async () => {
      if (shop.listeners.size === 0) await world.integrations.addConnector(shop.connector)
      const [tea] = (await world.integrations.connections.list('local')).filter(
        (row) => row.toolkit === 'tea',
      )
      if (!tea) await connect(world, 'tea')
    })
    await session.send('Create the pages A and B.')
    expect(shop.pages).toEqual(['B'])
    await session.send('and?')
    expect(appNotices(model)).toEqual([
      expect.stringContaining('The app TEA is connected now'),
      'Apps that can be connected with connect_app from now on: cake.',
    ])
    expect(published[0]).toEqual({ type: 'toolkits-changed', userId: 'local' })
  })

  it('is announced once when it adds an app, and not in a conversation that began later', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'))
    const world = start(model)
    const shop = createShop('tea')
    await world.integrations.addConnector(shop.connector)
    const session = await talk(world)
    await session.send('hi')
    const published = eventsOf(world)
    shop.offer('tea', 'cake')
    await vi.waitFor(() => expect(published).toEqual([{ type: 'toolkits-changed', userId: 'local' }]))
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toEqual(['Apps that can be connected with connect_app from now on: cake.'])
    await (await talk(world)).send('hi')
    expect(model.request(3).system).toContain('cake')
    expect(appNotices(model)).toEqual([])
  })

  it('must have a unique id', async () => {
    const world = start(new ScriptedModel())
    await expect(world.integrations.addConnector(createNotes().connector)).rejects.toThrow(ConfigurationError)
  })
})

describe('an app that is removed while turns run', () => {
  it('is announced as gone when its connector is removed', async () => {
    const model = new ScriptedModel(says('1'), says('2'))
    const store = createMemoryStore()
    const world = start(model, store)
    const shop = createShop('tea')
    await world.integrations.addConnector(shop.connector)
    const connection = await connect(world, 'tea')
    const session = await talk(world)
    await session.send('hi')
    expect(await world.integrations.removeConnector('shop')).toBe(true)
    expect(await world.integrations.removeConnector('shop')).toBe(false)
    expect([shop.listeners.size, shop.isClosed()]).toEqual([0, true])
    await session.send('hi')
    expect(appNotices(model)).toEqual(['The app tea (toolkit "tea") is no longer connected.'])
    expect(await world.integrations.connections.disconnect('local', connection.id)).toBe(true)
    expect(await world.integrations.connections.list('local')).toEqual([])
  })

  it('is announced as gone when its connector no longer lists it', async () => {
    const model = new ScriptedModel(
      says('1'),
      calls('delegate_to_integrations_agent', { toolkit: 'tea', prompt: 'x' }),
      says('2'),
    )
    const world = start(model)
    const shop = createShop('tea')
    await world.integrations.addConnector(shop.connector)
    await connect(world, 'tea')
    const session = await talk(world)
    await session.send('hi')
    const published = eventsOf(world)
    shop.offer()
    await vi.waitFor(() => expect(published).toHaveLength(1))
    await session.send('hi')
    expect(appNotices(model)).toEqual(['The app tea (toolkit "tea") is no longer connected.'])
    expect(world.events.findLast((event) => event.type === 'tool-end')).toMatchObject({
      ok: false,
      output: expect.stringContaining('no longer offered'),
    })
  })

  it('leaves no listener behind', async () => {
    const world = start(new ScriptedModel())
    const shop = createShop('tea')
    await world.integrations.addConnector(shop.connector)
    expect(shop.listeners.size).toBe(1)
    await world.integrations.close()
    expect([shop.listeners.size, shop.isClosed()]).toEqual([0, true])
  })
})
