import { createMcpConnector } from '@capstan/connectors'
import { runSync } from '@capstan/harness/memory'
import type { SyncState } from '@capstan/harness/memory'
import { createMemoryConnectionStore, createMemoryStore } from '@capstan/harness/stores'
import { createTestClock } from '@capstan/harness/testing'
import { startNotesApp } from '@capstan/notes-app'
import { expect, it, onTestFinished } from 'vitest'
import { signIn } from '../../examples/notes-app/src/testing/sign-in.ts'
import { NOTES, ROW } from './synced-notes.fixture.ts'

/** `NOTES_PAGES=5000` takes minutes; the caps and the cuts are the same. */
const PAGES = Number(process.env['NOTES_PAGES'] ?? 400)
/** With 5,000 pages the default. */
const REQUESTS_PER_DAY = Math.max(150, PAGES / 10)
const DAY = 24 * 3_600_000
const TIMEOUT_MS = 300_000
const LIMITS = { maxPages: PAGES + 10, requestsPerMinute: 10_000_000 }

async function open() {
  const app = await startNotesApp({ limits: LIMITS })
  onTestFinished(() => app.close())
  const { tokens } = await signIn(app.url, 'ada')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const transport = { type: 'http', url: app.mcpUrl, headers } as const
  const { vault } = createMemoryConnectionStore()
  const connector = createMcpConnector({
    servers: [{ slug: 'notes', transport, auth: 'none', sync: NOTES }],
    vault,
  })
  onTestFinished(() => connector.close())
  async function act(action: string, args: Record<string, string>): Promise<void> {
    const signal = new AbortController().signal
    const key = `${action} ${JSON.stringify(args)}`
    const outcome = await connector.execute(ROW, action, args, { signal, idempotencyKey: key })
    expect(outcome.ok).toBe(true)
  }
  const left = Array.from({ length: PAGES - app.pages.list('ada').length }, (_, n) => n)
  const create = async (): Promise<void> => {
    for (let n = left.pop(); n !== undefined; n = left.pop())
      await act('create_page', { title: `Page ${n}`, text: `Number ${n} of the notebook.` })
  }
  await Promise.all(Array.from({ length: 20 }, create))
  return { app, connector, act }
}

/** A memory, and what is kept between runs as JSON. */
function createSyncs(connector: ReturnType<typeof createMcpConnector>) {
  const { memory } = createMemoryStore()
  const clock = createTestClock()
  const source = connector.syncSource!(ROW)!
  const reads = new Map<string, number>()
  let stored: string | undefined
  let requests = 0
  const seen: number[] = []
  const counting: typeof source = {
    ...source,
    page(cursor, signal) {
      requests++
      return source.page(cursor, signal)
    },
    read(entry, signal) {
      requests++
      reads.set(entry.id, (reads.get(entry.id) ?? 0) + 1)
      return source.read!(entry, signal)
    },
  }
  return {
    memory,
    clock,
    reads,
    /** How many pages screens showed as stored, in order. */
    seen,
    /** One run. Cut after so many saves: what comes later is lost, as with a kill. */
    run: async (cutAfter = Infinity) => {
      const stop = new AbortController()
      let saves = 0
      requests = 0
      const { end, state } = await runSync({
        source: counting,
        memory,
        userId: 'ana',
        account: { app: 'notes', account: 'ada' },
        clock,
        limits: { requestsPerDay: REQUESTS_PER_DAY },
        signal: stop.signal,
        ...(stored !== undefined && { state: JSON.parse(stored) as SyncState }),
        save(next) {
          stored = JSON.stringify(next)
          seen.push(next.counts.added)
          if (++saves >= cutAfter) stop.abort(new Error('cut'))
        },
      })
      return { end, counts: state.counts, requests }
    },
  }
}

it(
  'many pages come in day by day within the caps, cut again and again, and then only changes',
  { timeout: TIMEOUT_MS },
  async () => {
    const { app, connector, act } = await open()
    const { memory, clock, reads, seen, run } = createSyncs(connector)
    let days = 0
    let last: Awaited<ReturnType<typeof run>> | undefined
    while (last?.end !== 'done') {
      // Each day it is cut at another point first.
      await expect(run(1 + (days % 4))).rejects.toThrow('cut')
      last = await run()
      expect(['requests', 'done']).toContain(last.end)
      expect(last.requests).toBeLessThanOrEqual(REQUESTS_PER_DAY)
      expect(++days).toBeLessThan(20)
      await clock.advance(DAY)
    }
    expect(last.counts).toMatchObject({ added: PAGES, changed: 0, failed: 0 })
    expect(await memory.sources('ana')).toEqual([{ app: 'notes', account: 'ada', count: PAGES }])
    // No page was read twice, and none was left out.
    expect(reads.size).toBe(PAGES)
    expect([...reads.values()].filter((times) => times > 1)).toEqual([])
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(new Set(seen).size).toBeGreaterThan(PAGES / 25)

    reads.clear()
    const ids = app.pages.list('ada').map(({ id }) => id)
    await act('update_page', { pageId: ids[PAGES - 100]!, text: 'The spare key hangs in the boathouse.' })
    // The day has its look at the whole list as well: that lists all, and reads only what changed.
    let again = await run()
    while (again.end !== 'done') again = (await clock.advance(DAY), await run())
    expect(again.counts).toMatchObject({ changed: 1, added: 0, removed: 0 })
    expect([...reads]).toEqual([[ids[PAGES - 100], 1]])
    const [hit] = await memory.search('ana', { words: 'boathouse key' })
    expect(hit?.item).toMatchObject({ externalId: ids[PAGES - 100], version: '2' })
  },
)
