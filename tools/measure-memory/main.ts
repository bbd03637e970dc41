import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Store } from '@capstan/harness/stores'
import { openEmbeddedStore } from '@capstan/stores'
import { openPostgresStore } from '@capstan/stores/postgres'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'
import { createSamples, SAMPLE_LANGUAGES } from './sample-items.ts'

// Fills the memory of one user and prints how long searches take, per language.
// node tools/measure-memory/main.ts [--items 100000] [--queries 200] [--store sqlite|postgres] [--dimensions 384]

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const items = Number(option('items') ?? 100_000)
const queries = Number(option('queries') ?? 200)
const only = option('store')
/** With them, each item has a made-up vector, and each query as well. */
const dimensions = Number(option('dimensions') ?? 0)
const MODEL = 'measured/random'
const USER = 'measured'
const AT_ONCE = 500

function randomVector(): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

async function measure(name: string, store: Store): Promise<void> {
  const samples = SAMPLE_LANGUAGES.map((language) => ({ language, ...createSamples(language) }))
  const started = performance.now()
  for (let n = 0; n < items; n += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, items - n) }, (_none, index) =>
      samples[(n + index) % samples.length]?.item(n + index),
    )
    const put = batch.flatMap((item) => item ?? [])
    await store.memory.put(USER, put)
    if (dimensions > 0)
      await store.memory.vectors.put(
        USER,
        MODEL,
        put.map((item) => ({ item, vectors: [randomVector()] })),
      )
  }
  console.log(`${name}: ${items} items in ${Math.round((performance.now() - started) / 1000)} s`)
  for (const { language, query } of samples) {
    const times: number[] = []
    const spent = process.cpuUsage()
    for (let n = 0; n < queries; n++) {
      const words = n % 10 === 0 ? `${language.toUpperCase()}-${n * 3}` : query()
      const start = performance.now()
      const vector = dimensions > 0 ? { model: MODEL, values: randomVector() } : undefined
      await store.memory.search(USER, { words, ...(vector && { vector }) })
      times.push(performance.now() - start)
    }
    const { user, system } = process.cpuUsage(spent)
    const processor = ((user + system) / 1000 / queries).toFixed(1)
    times.sort((a, b) => a - b)
    const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
    console.log(
      `  ${language}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(0.999)} ms; processor time of this process ${processor} ms each`,
    )
  }
}

if (only !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-memory-'))
  const store = openEmbeddedStore({ folder })
  await measure('SQLite', store)
  await store.close()
  rmSync(folder, { recursive: true })
}
if (only !== 'sqlite') {
  const postgres = await startPostgres()
  const env = { CAPSTAN_SECRET_KEY: randomBytes(32).toString('hex') }
  const store = await openPostgresStore({ url: postgres.url, env })
  await measure('PostgreSQL', store)
  await store.close()
  await postgres.close()
}
