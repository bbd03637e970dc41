import { describe, expect, it } from 'vitest'
import { createMemoryUserMemory } from '../ports/memory/memory-user-memory.ts'
import type { SyncSource } from '../ports/sync-source.ts'
import type { UserMemory } from '../ports/user-memory.ts'
import type { SyncedApp } from '../testing/synced-app.ts'
import { createSyncedApp } from '../testing/synced-app.ts'
import { createTestClock } from '../testing/test-clock.ts'
import { toItemLine } from './item-line.ts'
import { runSync } from './run-sync.ts'
import type { SyncOptions } from './sync-run.ts'
import type { SyncState } from './sync-state.ts'

const PLACE = { app: 'notes', account: 'ada' }
const DAY_MS = 24 * 60 * 60_000

/** One account of an app, and the memory it is synced into. */
function createWorld(app: SyncedApp, memory: UserMemory = createMemoryUserMemory()) {
  const clock = createTestClock()
  const world = {
    app,
    memory,
    clock,
    saved: undefined as SyncState | undefined,
    /** Syncs from what was saved. */
    sync(options: Partial<SyncOptions> = {}) {
      const { saved: state } = world
      app.asked.length = 0
      return runSync({
        source: app.source,
        memory,
        userId: 'ana',
        account: PLACE,
        clock,
        signal: new AbortController().signal,
        save: (next) => void (world.saved = structuredClone(next)),
        ...(state && { state }),
        ...options,
      })
    },
    texts: async () =>
      Object.fromEntries((await memory.list('ana')).map(({ externalId, text }) => [externalId, text])),
  }
  return world
}

function write(app: SyncedApp, count: number): void {
  for (let index = 0; index < count; index++) app.write(`p${index}`)
}

describe('a sync of a list of changes', () => {
  it('stores every item with its origin, and then fetches only what changed', async () => {
    const app = createSyncedApp()
    write(app, 250)
    app.write('p7', { at: Date.UTC(2026, 0, 2), link: 'https://notes.example/p7', people: ['Bo'] })
    const world = createWorld(app)
    const { state, end } = await world.sync()
    expect(end).toBe('done')
    expect(state.counts).toMatchObject({ pages: 3, added: 250, changed: 0, failed: 0 })
    const [p7] = (await world.memory.list('ana')).filter(({ externalId }) => externalId === 'p7')
    expect(p7).toMatchObject({ ...PLACE, version: '2', link: 'https://notes.example/p7', people: ['Bo'] })

    app.write('p3')
    app.write('new')
    app.delete('p4')
    const second = await world.sync()
    expect(app.asked).toHaveLength(1)
    expect(second.state.counts).toMatchObject({ pages: 1, added: 1, changed: 1, removed: 1 })
    expect(await world.texts()).toMatchObject({ p3: 'Text 2 of p3.', new: 'Text 1 of new.' })
    expect(await world.texts()).not.toHaveProperty('p4')

    expect((await world.sync()).state.counts).toMatchObject({ added: 0, changed: 0, unchanged: 0 })
  })

  it('tries an item that could not be read again at the next sync, and stops for nothing', async () => {
    const app = createSyncedApp({ readsEach: true })
    write(app, 12)
    const world = createWorld(app)
    app.before = (asked) => {
      if (asked === 'p5') throw new Error('token=ghp_0123456789abcdefghijABCDEFGHIJ012345 is refused')
    }
    const { state, end } = await world.sync()
    expect(end).toBe('done')
    expect(state.counts).toMatchObject({ added: 11, failed: 1 })
    expect(state.problems).toEqual([expect.objectContaining({ item: 'p5' })])
    expect(JSON.stringify(state)).not.toContain('ghp_')

    app.before = () => {}
    expect((await world.sync()).state).toMatchObject({ counts: { added: 1 }, retry: [], problems: [] })
    expect(app.asked).toEqual(['p5', 'page 12'])
  })

  it('gives up on an item after five attempts', async () => {
    const app = createSyncedApp({ readsEach: true })
    app.write('bad')
    const world = createWorld(app)
    app.before = (asked) => {
      if (asked === 'bad') throw new Error('broken')
    }
    for (let attempt = 0; attempt < 5; attempt++) await world.sync()
    await world.sync()
    expect(app.asked).not.toContain('bad')
  })
})

describe('a sync of a list', () => {
  it('reads only what has another version, and removes what is no longer listed', async () => {
    const app = createSyncedApp({ kind: 'list', pageSize: 20, readsEach: true })
    write(app, 50)
    const world = createWorld(app)
    await world.memory.put('ana', [
      { ...PLACE, id: 'own', externalId: 'x', at: 1, title: 'Own', text: '', people: [], seenAt: 1 },
    ])
    await world.sync()
    expect(app.asked).toHaveLength(53)
    await world.clock.advance(1000)
    app.write('p3')
    app.delete('p4')
    const { state } = await world.sync()
    expect(app.asked.filter((asked) => asked.startsWith('p') && !asked.startsWith('page'))).toEqual(['p3'])
    expect(state.counts).toMatchObject({ changed: 1, unchanged: 48, removed: 1 })
    const texts = await world.texts()
    expect(Object.keys(texts)).toHaveLength(50)
    expect(texts).toHaveProperty('x')
    expect(texts).not.toHaveProperty('p4')
  })

  it('notices deletions also when it took several runs', async () => {
    const app = createSyncedApp({ kind: 'list', pageSize: 10 })
    write(app, 40)
    const world = createWorld(app)
    const limits = { pages: 1 }
    for (let run = 0; run < 4; run++) await world.sync({ limits })
    await world.clock.advance(1000)
    app.delete('p2')
    app.delete('p33')
    const ends: string[] = []
    for (let run = 0; run < 4; run++) ends.push((await world.sync({ limits })).end)
    expect(ends).toEqual(['pages', 'pages', 'pages', 'done'])
    expect(world.saved?.counts).toMatchObject({ unchanged: 38, removed: 2, added: 0 })
    expect(Object.keys(await world.texts())).toHaveLength(38)
  })

  it('looks beyond a page that was stored before its process was killed', async () => {
    const app = createSyncedApp({ kind: 'list', pageSize: 10, isNewestFirst: true })
    write(app, 40)
    const world = createWorld(app)
    await world.sync()
    await world.clock.advance(1000)
    write(app, 15)
    const killed = () => Promise.reject(new Error('killed'))
    await expect(world.sync({ save: killed })).rejects.toThrow('killed')
    expect((await world.sync()).state.counts).toMatchObject({ changed: 5 })
    expect(Object.values(await world.texts()).filter((text) => text.startsWith('Text 2'))).toHaveLength(15)
  })

  it('with the newest first ends at the first page without changes, and is read whole once a day', async () => {
    const app = createSyncedApp({ kind: 'list', pageSize: 10, isNewestFirst: true })
    write(app, 100)
    const world = createWorld(app)
    await world.sync()
    await world.clock.advance(60_000)
    app.write('p50')
    app.delete('p3')
    await world.sync()
    expect(app.asked).toEqual(['page first', 'page 10'])
    await world.clock.advance(DAY_MS)
    expect((await world.sync()).state.counts).toMatchObject({ unchanged: 99, removed: 1 })
  })

  it('with the newest first stops at the window and keeps what is older', async () => {
    const app = createSyncedApp({ kind: 'list', pageSize: 10, isNewestFirst: true })
    const world = createWorld(app)
    const now = world.clock.now()
    for (let day = 60; day >= 0; day--) app.write(`d${day}`, { at: now - day * DAY_MS })
    const { state } = await world.sync({ limits: { days: 14 } })
    expect(state.counts).toMatchObject({ pages: 3, added: 15, tooOld: 15 })
    await world.clock.advance(10 * DAY_MS)
    await world.sync({ limits: { days: 14 } })
    expect(Object.keys(await world.texts())).toHaveLength(15)
  })
})

describe('the caps of a sync', () => {
  it('end a run after so many items, in the middle of a page, and the next one goes on', async () => {
    const app = createSyncedApp({ pageSize: 10, readsEach: true })
    write(app, 25)
    const world = createWorld(app)
    const limits = { items: 12 }
    expect(await world.sync({ limits })).toMatchObject({ end: 'items', state: { counts: { added: 12 } } })
    expect(await world.sync({ limits })).toMatchObject({ end: 'items', state: { counts: { added: 24 } } })
    expect(app.asked).not.toContain('p11')
    expect(await world.sync({ limits })).toMatchObject({ end: 'done', state: { counts: { added: 25 } } })
  })

  it('count requests and tokens of a day in UTC', async () => {
    const app = createSyncedApp({ pageSize: 10, readsEach: true })
    write(app, 30)
    const world = createWorld(app)
    const limits = { requestsPerDay: 15 }
    expect((await world.sync({ limits })).end).toBe('requests')
    expect(app.asked).toHaveLength(15)
    expect((await world.sync({ limits })).end).toBe('requests')
    expect(app.asked).toHaveLength(0)
    await world.clock.advance(12 * 60 * 60_000)
    await world.sync({ limits })
    expect(app.asked).toHaveLength(15)
    await world.clock.advance(DAY_MS)
    expect((await world.sync({ limits })).end).toBe('done')
    expect(Object.keys(await world.texts())).toHaveLength(30)

    const long = createSyncedApp({ pageSize: 5 })
    for (let index = 0; index < 20; index++) long.write(`p${index}`, { text: 'word '.repeat(800) })
    const other = createWorld(long)
    expect((await other.sync({ limits: { tokensPerDay: 6000 } })).end).toBe('tokens')
    expect(other.saved?.counts.added).toBe(10)
  })
})

describe('a sync', () => {
  it('goes on from the page that failed, and begins anew when it fails again and again', async () => {
    const app = createSyncedApp({ pageSize: 10 })
    write(app, 30)
    const world = createWorld(app)
    app.before = (asked) => {
      if (asked === 'page 20') throw new Error('500')
    }
    await expect(world.sync()).rejects.toThrow('500')
    expect(world.saved).toMatchObject({ cursor: '20', counts: { added: 20 }, problems: [{ message: '500' }] })
    for (let attempt = 0; attempt < 4; attempt++) await expect(world.sync()).rejects.toThrow('500')
    expect(world.saved?.cursor).toBeUndefined()
    app.before = () => {}
    expect((await world.sync()).state.counts).toMatchObject({ added: 30, unchanged: 20 })
  })

  it('ends at once when it is aborted, and stores nothing afterwards', async () => {
    const app = createSyncedApp({ pageSize: 10 })
    write(app, 30)
    const world = createWorld(app)
    const stop = new AbortController()
    const hung = Promise.withResolvers<void>()
    app.before = (asked) => {
      if (asked !== 'page 10') return undefined
      queueMicrotask(() => stop.abort(new Error('stopped')))
      return hung.promise
    }
    await expect(world.sync({ signal: stop.signal })).rejects.toThrow('stopped')
    hung.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    expect(Object.keys(await world.texts())).toHaveLength(10)
    expect(world.saved?.cursor).toBe('10')
  })

  it('does not wait for an app that does not answer', async () => {
    const app = createSyncedApp()
    const world = createWorld(app)
    app.before = () => new Promise(() => {})
    const sync = world.sync().catch((error: unknown) => error)
    await world.clock.waiting()
    await world.clock.advance(60_000)
    expect(await sync).toMatchObject({ name: 'TimeoutError' })
  })

  it.each([
    ['one item', 'short'],
    ['one item that is stored by itself because it is long', 'x'.repeat(100_000)],
  ])('stores the others when the store refuses %s', async (_, text) => {
    const app = createSyncedApp()
    write(app, 5)
    for (const id of ['p1', 'p2', 'p3']) app.write(id, { text })
    const memory = createMemoryUserMemory()
    const world = createWorld(app, {
      ...memory,
      put(userId, items) {
        if (items.some(({ externalId }) => externalId === 'p2')) throw new Error('refused')
        return memory.put(userId, items)
      },
    })
    expect((await world.sync()).state.counts).toMatchObject({ added: 4, failed: 1 })
  })

  it('stores hostile text cleaned, without secrets and cut to size', async () => {
    const app = createSyncedApp()
    app.write('p1', {
      title: 'A\u202Etitle\nin two lines',
      text: `Token gh\u0000p_0123456789abcdefghijABCDEFGHIJ012345\n${'x '.repeat(150_000)}`,
      link: 'javascript:alert(1)',
      people: Array.from({ length: 500 }, () => 'n'.repeat(1000)),
    })
    app.write('p2', { link: 'https://ana:secret@example.com/' })
    const world = createWorld(app)
    await world.sync()
    const items = await world.memory.list('ana')
    expect(items.every(({ link }) => link === undefined)).toBe(true)
    const p1 = items.find(({ externalId }) => externalId === 'p1')!
    expect(p1.title).toBe('Atitle in two lines')
    expect(p1.text.slice(0, 100)).not.toContain('0123456789')
    expect(p1.text.length).toBeLessThanOrEqual(100_100)
    expect(p1.people).toHaveLength(50)
    expect(p1.people[0]).toHaveLength(100)
  })

  it.each<[SyncSource['kind'], boolean]>([
    ['changes', false],
    ['list', true],
  ])('of %s that is cut at random pages has no gaps and no repeats', async (kind, readsEach) => {
    const app = createSyncedApp({ kind, readsEach, pageSize: 20 })
    write(app, 400)
    const world = createWorld(app)
    let seed = 7
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const put: string[] = []
    const memory: UserMemory = {
      ...world.memory,
      put(userId, items) {
        put.push(...items.map(({ externalId }) => externalId))
        return world.memory.put(userId, items)
      },
    }
    let cuts = 0
    for (;;) {
      const stop = new AbortController()
      const save = (next: SyncState): void => {
        // As if the process were killed before or after the state is on disk.
        if (random() < 0.2) stop.abort(new Error('killed'))
        if (random() < 0.8) world.saved = structuredClone(next)
        stop.signal.throwIfAborted()
      }
      const limits = { requestsPerDay: 10_000 }
      const run = await world.sync({ memory, save, limits, signal: stop.signal }).catch(() => undefined)
      if (run) break
      cuts++
    }
    expect(cuts).toBeGreaterThan(2)
    expect(put.toSorted()).toEqual(Array.from({ length: 400 }, (_, index) => `p${index}`).toSorted())
    expect(Object.keys(await world.texts())).toHaveLength(400)
  })
})

describe('a hostile app', () => {
  it('cannot store a time that is no date', async () => {
    const world = createWorld(createSyncedApp())
    world.app.write('late', { at: 9_000_000_000_000_000 })
    await world.sync({ limits: { days: 0 } })
    const [item] = await world.memory.list('ana')
    expect(item).toMatchObject({ at: world.clock.now() })
    expect(toItemLine(item!)).toMatchObject({ at: new Date(world.clock.now()).toISOString() })
  })

  it('cannot bring a secret onto a screen by a hidden character in it', async () => {
    const app = createSyncedApp({ readsEach: true })
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
    const split = `${token.slice(0, 12)}\u200b${token.slice(12)}`
    app.write(`page ${split}`)
    const world = createWorld(app)
    app.before = (asked) => {
      if (asked.startsWith('page ghp')) throw new Error(`${split} is refused`)
    }
    const { state } = await world.sync()
    expect(state.problems).toHaveLength(1)
    expect(JSON.stringify(state.problems)).not.toContain('56789abcdefghij')
  })

  it('with a page of long texts is stored in parts, between which others run', async () => {
    const world = createWorld(createSyncedApp())
    for (let index = 0; index < 6; index++) world.app.write(`p${index}`, { text: 'word '.repeat(10_001) })
    const sizes: number[] = []
    let turns = 0
    const count = (): unknown => setImmediate(() => (turns++, sizes.length < 3 && count()))
    count()
    const memory = {
      ...world.memory,
      put: (userId: string, items: Parameters<UserMemory['put']>[1]) => {
        sizes.push(items.length)
        return world.memory.put(userId, items)
      },
    }
    await world.sync({ memory })
    expect(sizes).toEqual([2, 2, 2])
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})
