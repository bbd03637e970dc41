import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { createThread, end, event, iteration, start } from './records.ts'
import type { Report } from './report.ts'
import { percentile } from './report.ts'

/** Commits one after the other: a page as most are, an iteration, the start and end of a turn, and with a sync. */
export async function measureCommits(store: Store, count: number, report: Report): Promise<void> {
  const { ledger } = store
  const plain = await createThread(store)
  for (let seq = 1; seq <= 200; seq++) await ledger.commit(plain, [event(plain, seq)])
  const measure = async (name: string, times: number, work: (n: number) => Promise<void>): Promise<void> => {
    const before = performance.now()
    for (let n = 1; n <= times; n++) await work(n)
    report(name, { 'µs each': Math.round((1_000 * (performance.now() - before)) / times) })
  }
  await measure('a page', count, async (n) => ledger.commit(plain, [event(plain, 200 + n)]))
  const working = await createThread(store)
  await measure('an iteration with usage and a result', count, async (n) =>
    ledger.commit(working, iteration(working, n)),
  )
  await measure('the start and the end of a turn', count / 4, async (n) => {
    await ledger.commit(working, [start(working, n)])
    await ledger.commit(working, [end(working, n)])
  })
  await measure('an iteration and a sync', count / 4, async (n) => {
    await ledger.commit(working, iteration(working, count + n))
    await ledger.sync()
  })
}

/** Commits of several threads at the same time, each thread waiting for its own. */
export async function measureSaturation(
  store: Store,
  threads: number,
  count: number,
  report: Report,
): Promise<void> {
  const ids = await Promise.all(Array.from({ length: threads }, () => createThread(store)))
  const each = Math.ceil(count / threads)
  const run = async (from: number, times: number): Promise<readonly number[]> => {
    const took: number[] = []
    const commitAll = async (id: ThreadId): Promise<void> => {
      for (let seq = from; seq < from + times; seq++) {
        const before = performance.now()
        await store.ledger.commit(id, iteration(id, seq))
        took.push(performance.now() - before)
      }
    }
    await Promise.all(ids.map(commitAll))
    return took
  }
  const warmUp = Math.ceil(400 / threads)
  await run(1, warmUp)
  const before = performance.now()
  const took = await run(1 + warmUp, each)
  const ms = performance.now() - before
  report(`iterations of ${threads} threads at once`, {
    'a second': Math.round((1_000 * took.length) / ms),
    'p50 ms': percentile(took, 50),
    'p99 ms': percentile(took, 99),
  })
}
