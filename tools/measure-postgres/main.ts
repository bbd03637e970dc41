import { parseArgs } from 'node:util'
import { openPostgresStore } from '@capstan/stores/postgres'
import { Client } from 'pg'
import { WORKLOADS } from '../../bench/src/workloads.ts'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'
import { measureBells } from './measure-bells.ts'
import { measureCommits, measureSaturation } from './measure-commits.ts'
import { measureTurns } from './measure-turns.ts'
import { measureWatchedTurn } from './measure-watched-turn.ts'
import { printReport } from './report.ts'

// Measures a store on PostgreSQL: single commits, commits of many threads at once, whole turns and what each of them costs,
// and rings to other nodes. Starts a server from npm unless it gets an address.
// node tools/measure-postgres/main.ts [--only commits,saturation,turns,watched,bells] [--commits 2000] [--turns 200] [--url postgres://…]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'commits,saturation,turns,watched,bells' },
    commits: { type: 'string', default: '2000' },
    turns: { type: 'string', default: '200' },
    url: { type: 'string' },
  },
})
const only = values.only.split(',')
const commits = Number(values.commits)
const turns = Number(values.turns)

const server = values.url === undefined ? await startPostgres() : undefined
const url = values.url ?? server!.url
const store = await openPostgresStore({ url, env: { CAPSTAN_SECRET_KEY: '00'.repeat(32) } })
const client = new Client({ connectionString: url })
await client.connect()
try {
  if (only.includes('commits')) await measureCommits(store, commits, printReport)
  if (only.includes('saturation'))
    for (const threads of [1, 8, 32]) await measureSaturation(store, threads, 4 * commits, printReport)
  if (only.includes('turns')) {
    const loop = WORKLOADS.loop10
    for (const effect of ['read', 'write'] as const)
      for (const atOnce of [1, 8])
        await measureTurns(
          { store, client, name: `a turn of ${effect}s`, loop, effect, turns, atOnce },
          printReport,
        )
  }
  if (only.includes('watched')) {
    await measureWatchedTurn({ store, url, loop: WORKLOADS.loop10, pauseMs: 100 }, printReport)
    // About 50 pieces of text a second, as a model writes them.
    const streamed = { iterations: 2, callsPerIteration: 1, deltasPerIteration: 150 }
    await measureWatchedTurn({ store, url, loop: streamed, pauseMs: 20 }, printReport)
  }
  if (only.includes('bells'))
    for (const listeners of [0, 3, 30]) await measureBells(url, listeners, commits, printReport)
} finally {
  await client.end()
  await store.close()
  await server?.close()
}
// The library that starts the server keeps the process alive.
process.exit()
