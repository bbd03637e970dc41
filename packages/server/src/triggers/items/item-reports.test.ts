import type { SyncEntry, SyncSource } from '@capstan/harness/memory'
import { quietClock } from '@capstan/harness/seams'
import { createMemoryStore } from '@capstan/harness/stores'
import type { Store } from '@capstan/harness/stores'
import { createSyncedApp } from '@capstan/harness/testing'
import type { ConnectionRow } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createVaultDocuments } from '../../documents/vault-documents.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { createSyncHandler } from '../../sync/sync-handler.ts'
import { openTriggers } from '../triggers.ts'

const DAY_MS = 86_400_000
const CONNECTION: ConnectionRow = {
  id: 'connection_1',
  userId: 'ana',
  connector: 'local',
  toolkit: 'box',
  status: 'active',
  label: 'ana@example.com',
  isDefault: true,
  createdAt: 1,
  updatedAt: 1,
}

/** Lets a number of changes of the store through. From then on every change fails, as for a process that was killed. */
function killAfter(changes: number) {
  let left = changes
  return {
    get isKilled() {
      return left < 0
    },
    guard<Part extends object>(part: Part, names: readonly (keyof Part)[]): Part {
      return new Proxy(part, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          const method = value.bind(target) as (...args: readonly unknown[]) => unknown
          if (!names.includes(name as keyof Part)) return method
          return async (...args: readonly unknown[]) => {
            if (--left < 0) throw new Error('killed')
            return method(...args)
          }
        },
      })
    },
  }
}

let leases = Date.now()

/** A process that syncs the app into the store, until it is killed. */
async function openProcess(store: Store, source: SyncSource, life = killAfter(Infinity)) {
  const jobStore = life.guard(store.jobs, ['add', 'change', 'save', 'end'])
  const jobs = createJobs({
    store: jobStore,
    runner: { register() {}, wake() {}, check() {} },
    publish() {},
    now: () => Date.now(),
  })
  const never = (): never => {
    throw new Error('nothing is judged here')
  }
  const integrations = {
    connections: { get: async () => CONNECTION, expire: never },
    bus: { subscribe: () => () => {} },
    syncSource: () => source,
  } as never
  const triggers = await openTriggers({
    integrations,
    connections: store.connections,
    documents: createVaultDocuments(store.connections.vault),
    jobs,
    runs: store.runs,
    unattended: never,
    record: async () => {},
    clock: quietClock,
    allowanceOf: never,
    modelsOf: () => undefined,
    checkModel() {},
    note() {},
    tell: async () => {},
    onProblem() {},
  })
  const handler = createSyncHandler({
    store: { ...store, memory: life.guard(store.memory, ['put', 'remove']) },
    integrations,
    jobs,
    clock: quietClock,
    beginReport: triggers.beginItems,
  })
  return {
    triggers,
    async sync() {
      const settings = { intervalMinutes: 30, days: 0, pages: 200, items: 10_000 }
      const body = {
        connectionId: CONNECTION.id,
        settings: { ...settings, requestsPerDay: 500, tokensPerDay: 9e6 },
      }
      await jobs.add({
        id: 'sync_1',
        userId: 'ana',
        kind: 'sync',
        key: 'sync_1',
        title: 'Sync',
        body,
        nextAt: 0,
      })
      // Far enough ahead for the lease of a process that was killed to be over.
      const due = { now: (leases += DAY_MS), owner: `process ${leases}`, leaseMs: 1_000, limit: 1 }
      const [claim] = await store.jobs.claimDue({ kinds: ['sync'], exceptUsers: [], ...due })
      const run = { signal: new AbortController().signal, now: () => Date.now() }
      await handler.run(claim!.job, {
        ...run,
        async save(state) {
          if (!(await jobStore.save(claim!, state))) throw new Error('This run is over.')
        },
      })
      await jobStore.end(claim!, { status: 'waiting', nextAt: 0, at: leases })
    },
    async list() {
      const found = await store.jobs.list('ana', { kind: 'trigger', limit: 500 })
      return found.map(({ title }) => title).toSorted()
    },
    async addSource() {
      const post = { kind: 'sync', name: 'Box', connectionId: CONNECTION.id } as const
      return (await triggers.sources.add('ana', post)).source
    },
  }
}

const at = (offset: number): Partial<SyncEntry> => ({ at: Date.now() + offset })

/** An app that was synced once, and a source that was created afterwards. */
async function openSynced(options?: Parameters<typeof createSyncedApp>[0]) {
  const store = createMemoryStore()
  const app = createSyncedApp({ kind: 'list', pageSize: 3, ...options })
  for (let n = 0; n < 8; n++) app.write(`old ${n}`, at(-DAY_MS))
  const process = await openProcess(store, app.source)
  await process.sync()
  const source = await process.addSource()
  return { store, app, process, source }
}

describe('items of a sync', () => {
  it('become triggers when they are new or changed, once for each version', async () => {
    const { app, process } = await openSynced()
    expect(await process.list()).toEqual([])
    app.write('fresh', at(1_000))
    app.write('old 3', at(1_000))
    await process.sync()
    expect(await process.list()).toEqual(['Changed: Page old 3', 'New: Page fresh'])
    await process.sync()
    expect(await process.list()).toHaveLength(2)
    app.write('old 3', at(2_000))
    await process.sync()
    expect(await process.list()).toHaveLength(3)
  })

  it('that were there before the source, or change to an older time, are none', async () => {
    const { app, process } = await openSynced()
    app.write('found late', at(-DAY_MS))
    app.write('old 1', at(-DAY_MS))
    await process.sync()
    expect(await process.list()).toEqual([])
  })

  it('without a time, or with one far ahead, are none in the first sync, and count in later ones', async () => {
    const store = createMemoryStore()
    const app = createSyncedApp({ kind: 'list' })
    const process = await openProcess(store, app.source)
    await process.addSource()
    app.write('no time')
    app.write('far ahead', at(900 * DAY_MS))
    await process.sync()
    expect(await process.list()).toEqual([])
    app.write('later')
    await process.sync()
    expect(await process.list()).toEqual(['New: Page later'])
  })

  it('of a huge list make at most 51 triggers a run, and one of them says that there are more', async () => {
    const { app, process, store } = await openSynced({ pageSize: 400 })
    for (let n = 0; n < 1_500; n++) app.write(`n${n}`, at(1_000))
    await process.sync()
    const titles = await process.list()
    expect(titles).toHaveLength(51)
    expect(titles.filter((title) => title === 'More items than are reported at once')).toHaveLength(1)
    expect((await store.memory.sources('ana'))[0]?.count).toBe(1_508)
  })

  it('of a hostile app keep odd ids apart, and an id that repeats is one', async () => {
    const { app, process } = await openSynced()
    const odd = [
      'a',
      'a ',
      'A',
      'a\u0000',
      'a\u202E',
      '\uD800',
      '\uDC00',
      '../a',
      '["a","1"]',
      '__proto__',
      '😀',
    ]
    for (const id of odd) app.write(id, { ...at(1_000), title: `${JSON.stringify(id)}\u202E\n<b>` })
    const twice: SyncSource = {
      ...app.source,
      async page(cursor, signal) {
        const page = await app.source.page(cursor, signal)
        return { ...page, entries: [...page.entries, ...page.entries] }
      },
    }
    const again = await openProcess((await openSynced()).store, twice)
    await process.sync()
    const titles = await process.list()
    expect(titles).toHaveLength(odd.length)
    for (const title of titles) expect(title).not.toMatch(/[\u202E\n\0]/)
    await again.sync()
    expect(await again.list()).toHaveLength(odd.length)
  })

  it('of another connection, or for a source that was removed, make none', async () => {
    const { app, process, source } = await openSynced()
    await process.triggers.sources.add('ana', { kind: 'sync', name: 'Other', connectionId: 'connection_2' })
    await process.triggers.sources.remove('ana', source.id)
    app.write('fresh', at(1_000))
    await process.sync()
    expect(await process.list()).toEqual([])
  })

  it('are neither lost nor doubled when the process is killed at any change of the store', async () => {
    for (let changes = 0; ; changes++) {
      const { store, app } = await openSynced({ readsEach: changes % 2 === 0 })
      const fresh = ['f1', 'f2', 'f3', 'f4', 'f5']
      for (const id of fresh) app.write(id, at(1_000))
      app.write('old 0', at(1_000))
      const life = killAfter(changes)
      await openProcess(store, app.source, life)
        .then((process) => process.sync())
        .catch(() => {})
      const isOver = !life.isKilled
      const next = await openProcess(store, app.source)
      await next.sync()
      await next.sync()
      const expected = ['Changed: Page old 0', ...fresh.map((id) => `New: Page ${id}`)]
      // One that was reported as new and whose end is not stored is not reported again as changed.
      expect(await next.list(), `killed after ${changes}`).toEqual(expected)
      expect(await store.memory.list('ana', { limit: 100 })).toHaveLength(13)
      if (isOver) return expect(changes).toBeGreaterThan(8)
    }
  })
})
