import type { AppChange } from '@capstan/harness/connectors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { McpWorld } from './mcp-world.fixture.ts'
import { connectionTo, createMcpWorld } from './mcp-world.fixture.ts'
import type { ShelfOptions } from './shelf-server.fixture.ts'
import { startShelfServer } from './shelf-server.fixture.ts'
import { startPlainServer } from './plain-server.fixture.ts'

const connection = connectionTo('shelf')
const A = 'shelf://a'
const B = 'shelf://b'

describe('an MCP server that is listened to', () => {
  const opened: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.stop()
  })

  async function open(options: ShelfOptions = {}, paceMs = 0) {
    const shelf = await startShelfServer(options)
    shelf.books.set(A, 'The first text.')
    shelf.books.set(B, 'Another book.')
    opened.push(shelf)
    const world = createMcpWorld(
      [{ slug: 'shelf', transport: { type: 'http', url: shelf.url }, auth: 'none' }],
      { paceMs },
    )
    opened.push({ stop: () => world.connector.close() })
    return { shelf, world, ...listen(world) }
  }

  function listen({ connector }: McpWorld) {
    const changes: AppChange[] = []
    const stop = new AbortController()
    const ended = connector.watch!(connection)!(async (change) => void changes.push(change), stop.signal)
    ended.catch(() => {})
    return { changes, stop, ended }
  }

  const untilChanges = (changes: readonly AppChange[], count: number) =>
    vi.waitFor(() => expect(changes.length).toBeGreaterThanOrEqual(count), { timeout: 10_000 })

  /** The first report is the list as it is; notifications are heard from then on. */
  const untilHeard = ({ changes }: { changes: readonly AppChange[] }) => untilChanges(changes, 1)

  describe.each(['legacy', 'modern'] as const)('of the %s era', (era) => {
    it('has its updated resources read and reported, with a version for each text', async () => {
      const world = await open({ era })
      await untilHeard(world)
      world.shelf.books.set(A, 'The second text.')
      await world.shelf.tellUpdated(A)
      await untilChanges(world.changes, 2)
      await world.shelf.tellUpdated(A)
      await untilChanges(world.changes, 3)
      const [, first, second] = world.changes
      expect(first).toMatchObject({ type: 'item', id: A, title: `Book ${A}`, text: 'The second text.' })
      expect(second).toEqual(first)
      if (era === 'legacy') expect(world.shelf.subscribed).toEqual([A, B])
    })

    it('has a changed list reported with what is new and gone, and tells of what is new from then on', async () => {
      const world = await open({ era })
      await untilHeard(world)
      world.shelf.books.set('shelf://c', 'New.')
      world.shelf.books.delete(B)
      await world.shelf.tellListChanged()
      await untilChanges(world.changes, 2)
      expect(world.changes[1]).toMatchObject({
        type: 'list',
        added: ['Book shelf://c'],
        removed: [`Book ${B}`],
      })
      await vi.waitFor(async () => {
        await world.shelf.tellUpdated('shelf://c')
        expect(world.changes.at(-1)).toMatchObject({ type: 'item', id: 'shelf://c' })
      })
    })

    it('is let go when the signal is aborted', async () => {
      const world = await open({ era })
      await untilHeard(world)
      world.stop.abort(new Error('enough'))
      await expect(world.ended).rejects.toThrow('enough')
      await world.shelf.tellUpdated(A)
      expect(world.shelf.read).toEqual([])
    })

    it('is lost when the connection is', async () => {
      const world = await open({ era })
      await untilHeard(world)
      await world.world.connector.disconnect(connection)
      await expect(world.ended).rejects.toThrow('no longer be listened to')
    })
  })

  it('is read less often than it says that something changed, and never for what it does not list', async () => {
    const world = await open()
    await untilHeard(world)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { shelf } = world
    world.stop.abort(new Error('another listener'))
    const again: AppChange[] = []
    const stop = new AbortController()
    const ended = world.world.connector.watch!(connection)!(async (change) => {
      again.push(change)
      await held
    }, stop.signal)
    ended.catch(() => {})
    await untilChanges(again, 1)
    for (let n = 0; n < 300; n++) {
      await shelf.tellUpdated(A)
      await shelf.tellUpdated(`shelf://made-up/${n}`)
    }
    await shelf.tellUpdated(B)
    release()
    await vi.waitFor(() => expect(again.some((one) => one.type === 'item' && one.id === B)).toBe(true))
    expect(new Set(shelf.read)).toEqual(new Set([A, B]))
    expect(shelf.read.length).toBeLessThan(300)
    stop.abort(new Error('over'))
  })

  it('that tells of nothing is refused with NotTold, and one without resources is not listened to', async () => {
    const world = await open({ tells: false })
    await expect(world.ended).rejects.toMatchObject({ name: 'NotTold' })
    const plain = await startPlainServer()
    opened.push(plain)
    const other = createMcpWorld([
      { slug: 'shelf', transport: { type: 'http', url: plain.url }, auth: 'none' },
    ])
    opened.push({ stop: () => other.connector.close() })
    await other.connector.actions(connection)
    expect(other.connector.watch!(connection)).toBeUndefined()
    expect(other.connector.watch!(connectionTo('nothing'))).toBeUndefined()
  })

  it('reports a resource that cannot be read, and one with a huge text is cut', async () => {
    const world = await open()
    await untilHeard(world)
    world.shelf.books.set(B, 'x'.repeat(300_000))
    await world.shelf.tellUpdated(B)
    await untilChanges(world.changes, 2)
    world.shelf.books.delete(A)
    await world.shelf.tellUpdated(A)
    await untilChanges(world.changes, 3)
    const [, huge, gone] = world.changes as readonly Extract<AppChange, { type: 'item' }>[]
    expect(huge!.text!.length).toBeLessThanOrEqual(20_001)
    expect(gone).toEqual({ type: 'item', id: A, title: `Book ${A}`, version: 'not readable' })
  })
})
