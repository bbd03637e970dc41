import { createLocalConnector } from '@capstan/connectors'
import type { SyncSource } from '@capstan/harness/memory'
import type { SyncView } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import { createFolder, openWorld } from '../sessions/assistant.fixture.ts'
import type { World } from '../sessions/assistant.fixture.ts'
import { estimateSync } from './estimate-sync.ts'
import { DEFAULT_SETTINGS } from './sync-body.ts'

const VISITOR = { userId: 'local', browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/oauth/callback' }
const PAGE = 10

/** An app with a list of texts, newest first. Pages from `gate.at` on wait until the gate is opened, or the run ends. */
function createApp(count: number) {
  const gate = { at: Infinity, asked: Promise.withResolvers<void>() }
  const seen: number[] = []
  const app = { count, seen, gate, problem: undefined as Error | undefined }
  const source: SyncSource = {
    kind: 'list',
    expect: async () => ({ items: app.count, requests: Math.ceil(app.count / PAGE) }),
    async page(cursor, signal) {
      if (app.problem) throw app.problem
      const from = Number(cursor ?? 0)
      seen.push(from)
      if (from >= gate.at) {
        gate.asked.resolve()
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        )
      }
      const ids = Array.from({ length: Math.min(PAGE, app.count - from) }, (_, index) => from + index)
      const next = from + PAGE < app.count ? { next: String(from + PAGE) } : {}
      return {
        entries: ids.map((id) => ({ id: `n${id}`, version: '1', title: `Note ${id}`, text: 'x'.repeat(40) })),
        ...next,
      }
    },
  }
  const connector = createLocalConnector({
    toolkits: [
      { slug: 'box', name: 'Box', description: 'Notes.', actions: [], sync: () => source },
      { slug: 'dull', name: 'Dull', description: 'Nothing.', actions: [] },
    ],
  })
  return { app, connector }
}

async function connect({ assistant }: World, toolkit = 'box'): Promise<string> {
  const { connections } = assistant.integrations
  const begun = await connections.begin('local', toolkit)
  const answer = await connections.signIn(begun!.id, VISITOR)
  if (answer.type !== 'settled') throw new Error(answer.type)
  return answer.connection.id
}

const viewOf = async ({ assistant }: World, id: string): Promise<SyncView> => {
  const view = await assistant.sync.read('local', id)
  if (typeof view === 'string') throw new Error(view)
  return view
}

const until = (world: World, id: string, fits: (view: SyncView) => boolean): Promise<SyncView> =>
  vi.waitFor(
    async () => {
      const view = await viewOf(world, id)
      if (!fits(view)) throw new Error(JSON.stringify(view))
      return view
    },
    { timeout: 10_000, interval: 10 },
  )

const isDone = ({ lastDoneAt, job }: SyncView): boolean =>
  lastDoneAt !== undefined && job?.status === 'waiting'

const countItems = async ({ assistant }: World): Promise<number> =>
  (await assistant.store.memory.sources('local')).reduce((sum, { count }) => sum + count, 0)

it('a sync is off until a person switches it on, and its estimate comes first', async () => {
  const { connector } = createApp(25)
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  const { sync } = world.assistant
  expect(await viewOf(world, id)).toMatchObject({ isOn: false, settings: { intervalMinutes: 30 } })
  expect(await sync.estimate('local', id)).toEqual({
    items: 25,
    requests: 3,
    tokens: 250,
    days: 1,
    isAtLeast: false,
  })
  expect(await countItems(world)).toBe(0)
  await sync.switchOn('local', id, { intervalMinutes: 60 }, 25)
  const view = await until(world, id, isDone)
  expect(view).toMatchObject({ isOn: true, progress: { added: 25, pages: 3, expected: 25 } })
  expect(view.job!.nextAt! - view.lastDoneAt!).toBeGreaterThanOrEqual(60 * 60_000)
  expect(await countItems(world)).toBe(25)
})

it('an estimate does not repeat counts that are none', async () => {
  for (const items of [-5, Number.NaN, 1.5, Infinity]) {
    const source: SyncSource = {
      kind: 'list',
      expect: async () => ({ items, requests: 1 }),
      page: async () => ({ entries: [{ id: 'a', text: 'x'.repeat(400) }] }),
    }
    expect(await estimateSync(source, DEFAULT_SETTINGS, AbortSignal.timeout(60_000))).toMatchObject({
      items: 1,
      tokens: 100,
      days: 1,
    })
  }
})

it('an item that a person forgets stays out while the sync is on, whatever else it brings', async () => {
  const { app, connector } = createApp(25)
  const world = await openWorld({ connectors: [connector] })
  const { sync, store, jobs } = world.assistant
  const id = await connect(world)
  await sync.switchOn('local', id, {})
  const { job } = await until(world, id, isDone)
  const [item] = await store.memory.list('local', { limit: 1 })
  await store.memory.remove('local', [item!.id])
  app.count = 26
  await jobs.runNow('local', job!.id)
  await until(world, id, (view) => isDone(view) && view.progress?.added === 1)
  expect(await store.memory.get('local', item!.id)).toBeUndefined()
  expect(await countItems(world)).toBe(25)
  // Switched off and on again, everything is synced.
  await sync.switchOff('local', id, { forget: false })
  await sync.switchOn('local', id, {})
  await until(world, id, isDone)
  expect(await countItems(world)).toBe(26)
})

it('an app without a source and a connection of another user cannot be synced', async () => {
  const { connector } = createApp(1)
  const world = await openWorld({ connectors: [connector] })
  const { sync } = world.assistant
  const dull = await connect(world, 'dull')
  const id = await connect(world)
  expect(await sync.switchOn('local', dull, {})).toBe('unsupported')
  expect(await sync.switchOn('other', id, {})).toBe('unknown')
  expect(await sync.estimate('other', id)).toBe('unknown')
  expect(await sync.switchOff('other', id, { forget: true })).toBe('unknown')
  expect((await sync.list('local')).map(({ connectionId }) => connectionId)).toEqual([id])
})

it('a disconnected account ends its sync in the middle, and nothing is stored afterwards', async () => {
  const { app, connector } = createApp(100)
  app.gate.at = 30
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  await world.assistant.sync.switchOn('local', id, {})
  await app.gate.asked.promise
  expect(await world.assistant.sync.disconnect('local', id, { forget: false })).toBe(true)
  expect(await world.assistant.jobs.list('local')).toEqual([])
  expect(await countItems(world)).toBe(30)
  expect(app.seen).toEqual([0, 10, 20, 30])
})

it('a person who disconnects and forgets leaves nothing of the account in memory', async () => {
  const { app, connector } = createApp(100)
  app.gate.at = 30
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  await world.assistant.sync.switchOn('local', id, {})
  await app.gate.asked.promise
  await world.assistant.sync.disconnect('local', id, { forget: true })
  await vi.waitFor(async () => {
    const jobs = await world.assistant.jobs.list('local')
    expect(jobs.map(({ status }) => status)).toEqual(['done'])
  })
  expect(await countItems(world)).toBe(0)
})

it('an expired account waits for a new sign-in, says so, and goes on where it was', async () => {
  const { app, connector } = createApp(100)
  app.gate.at = 30
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  const { connections } = world.assistant.integrations
  await world.assistant.sync.switchOn('local', id, {})
  await app.gate.asked.promise
  await connections.expire(id, 'It is over.')
  const waiting = await until(world, id, ({ job }) => job?.lastFailure !== undefined)
  expect(waiting.job).toMatchObject({ status: 'waiting', lastFailure: { class: 'not_connected' } })
  app.gate.at = Infinity
  await connections.signIn(id, VISITOR)
  const done = await until(world, id, isDone)
  expect(done.progress).toMatchObject({ added: 100 })
  expect(app.seen.filter((from) => from === 0)).toHaveLength(1)
})

it('a failing app is tried again later, and the view says why', async () => {
  const { app, connector } = createApp(10)
  app.problem = new Error('503 service unavailable')
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  await world.assistant.sync.switchOn('local', id, {})
  const failed = await until(world, id, ({ job }) => job?.lastFailure !== undefined)
  expect(failed.job).toMatchObject({ status: 'waiting', attempts: 1 })
  expect(failed.job!.nextAt).toBeGreaterThan(failed.job!.lastEndedAt!)
  app.problem = undefined
  await world.assistant.jobs.runNow('local', failed.job!.id)
  expect((await until(world, id, isDone)).job?.lastFailure).toBeUndefined()
})

it('a used up budget waits for the next day in UTC', async () => {
  const { connector } = createApp(50)
  const world = await openWorld({ connectors: [connector] })
  const id = await connect(world)
  await world.assistant.sync.switchOn('local', id, { requestsPerDay: 2 })
  const view = await until(world, id, ({ usedUp }) => usedUp !== undefined)
  const ended = await until(world, id, ({ job }) => job?.status === 'waiting')
  expect(view.usedUp).toBe('requests')
  expect(new Date(ended.job!.nextAt!).toISOString()).toContain('T00:00:00.000Z')
})

it('a sync goes on after a restart of the server', async () => {
  const folder = await createFolder()
  const first = createApp(60)
  first.app.gate.at = 30
  const world = await openWorld({ folder, connectors: [first.connector] })
  const id = await connect(world)
  await world.assistant.sync.switchOn('local', id, {})
  await first.app.gate.asked.promise
  await world.assistant.stop({ graceMs: 1_000 })
  const second = createApp(60)
  const again = await openWorld({ folder, connectors: [second.connector] })
  expect((await until(again, id, isDone)).progress).toMatchObject({ added: 60, unchanged: 0 })
  expect(second.app.seen).toEqual([30, 40, 50])
})
