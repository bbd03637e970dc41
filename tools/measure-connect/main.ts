import { parseArgs } from 'node:util'
import { createLocalConnector, defineAction } from '@capstan/connectors'
import type { Integrations } from '@capstan/harness/integrations'
import { createIntegrations } from '@capstan/harness/integrations'
import { openBell, openPostgresStore } from '@capstan/stores/postgres'
import { createConnectionBridge } from '../../packages/server/src/cluster/connection-bridge.ts'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'

// Measures how long it takes until an app that is connected on one node can be used on another, and until it is gone there
// after a disconnect. The nodes have stores and bells of their own on one database. Prints JSON; fails above the limit.
// node tools/measure-connect/main.ts [--runs 300] [--apps 10] [--limit 100] [--url postgres://…]

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    /** Connected all the time, beside the one that comes and goes. */
    apps: { type: 'string', default: '10' },
    limit: { type: 'string', default: '100' },
    url: { type: 'string' },
  },
})
const runs = Number(values.runs)
const others = Array.from({ length: Number(values.apps) }, (_, index) => `app_${index}`)
const USER = 'ann'
const APP = 'notes'
const VISITOR = { userId: USER, browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/oauth/callback' }
const READ = defineAction({
  name: 'read_page',
  description: 'Reads a page.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  run: () => 'Tea',
})

async function openNode(url: string, nodeId: string) {
  const store = await openPostgresStore({ url, nodeId, env: { CAPSTAN_SECRET_KEY: '00'.repeat(32) } })
  const onProblem = (problem: unknown): void => console.error(problem)
  const bell = await openBell({ url, nodeId, onProblem })
  const toolkits = [APP, ...others].map((slug) => ({ slug, name: slug, description: '', actions: [READ] }))
  const connectors = [createLocalConnector({ toolkits })]
  const integrations = createIntegrations({ connectors, store: store.connections })
  const bridge = createConnectionBridge({ integrations, store: store.connections, bell, onProblem })
  await integrations.prewarm(USER)
  return {
    integrations,
    async close() {
      bridge.close()
      await integrations.close()
      await bell.close()
      await store.close()
    },
  }
}

async function connect({ connections }: Integrations, toolkit: string): Promise<string> {
  const { id } = (await connections.begin(USER, toolkit))!
  const answer = await connections.signIn(id, VISITOR)
  if (answer.type !== 'settled') throw new Error(answer.type)
  return id
}

/** The time at which a node knows, without reading anything, that the app is connected or that it is not. */
function whenKnown({ bus, directory }: Integrations, isConnected: boolean): Promise<number> {
  return new Promise((resolve) => {
    const stop = bus.subscribe(() => {
      const app = directory.peek(USER)?.toolkits.find(({ slug }) => slug === APP)
      if (!app || app.connections.length > 0 !== isConnected) return
      stop()
      resolve(performance.now())
    })
  })
}

function summarise(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number): number =>
    Number(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(1))
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

const server = values.url === undefined ? await startPostgres() : undefined
const url = values.url ?? server!.url
const [a, b] = [await openNode(url, 'measure-a'), await openNode(url, 'measure-b')]
const connected: number[] = []
const disconnected: number[] = []
try {
  for (const slug of others) await connect(a.integrations, slug)
  for (let run = 0; run < runs; run++) {
    const there = whenKnown(b.integrations, true)
    const { id } = (await a.integrations.connections.begin(USER, APP))!
    const began = performance.now()
    await a.integrations.connections.signIn(id, VISITOR)
    connected.push((await there) - began)

    const gone = whenKnown(b.integrations, false)
    const ended = performance.now()
    await a.integrations.connections.disconnect(USER, id)
    disconnected.push((await gone) - ended)
  }
} finally {
  await a.close()
  await b.close()
  await server?.close()
}
const limitMs = Number(values.limit)
const connectMs = summarise(connected)
const isGood = connectMs.p95 < limitMs
console.log(JSON.stringify({ runs, limitMs, isGood, connectMs, disconnectMs: summarise(disconnected) }))
// The library that starts the server keeps the process alive.
process.exit(isGood ? 0 : 1)
