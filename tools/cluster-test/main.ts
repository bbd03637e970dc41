import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApiClient } from '@capstan/client'
import type { ApiClient } from '@capstan/client'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'
import { createModelCalls } from './model-calls.ts'
import type { ModelCalls } from './model-calls.ts'
import { LATE, OTHERS, startNode } from './start-node.ts'
import type { TestNode } from './start-node.ts'

const HELP = `Connects, disconnects and expires an app on one node while a turn runs on another, both real processes on one
PostgreSQL. Measures the time until the model of that turn is called with the change.

npm run cluster-test -- [options]

  --runs N      how often each (300)
  --limit MS    what 95 of 100 connects must not exceed (100)
  --help

Prints one line of JSON. Exits with 1 above the limit.
`

/** A new turn after so many changes, so that no conversation becomes long. */
const RUNS_PER_TURN = 10

interface Times {
  readonly connect: number[]
  readonly disconnect: number[]
  readonly expire: number[]
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '300' },
      limit: { type: 'string', default: '100' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const limitMs = Number(values.limit)
  const times = await measure(Number(values.runs))
  const connectMs = summarise(times.connect)
  const isGood = connectMs.p95 < limitMs
  const lost = { disconnectMs: summarise(times.disconnect), expireMs: summarise(times.expire) }
  process.stdout.write(
    `${JSON.stringify({ runs: times.connect.length, limitMs, isGood, connectMs, ...lost })}\n`,
  )
  return isGood ? 0 : 1
}

async function measure(runs: number): Promise<Times> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-cluster-test-'))
  const server = await startPostgres()
  const calls = createModelCalls()
  const nodes: TestNode[] = []
  const start = async (role: 'web' | 'worker'): Promise<TestNode> => {
    const database = { url: server.url, nodeId: role, role }
    const node = await startNode({ folder: join(folder, role), database }, calls.note)
    nodes.push(node)
    return node
  }
  try {
    // Turns run on the worker; the person is at the other node.
    const web = await start('web')
    await start('worker')
    const headers = { authorization: `Bearer ${web.token}` }
    return await measureWith(createApiClient({ base: web.url, headers }), web, calls, runs)
  } finally {
    nodes.forEach((node) => node.kill())
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureWith(api: ApiClient, web: TestNode, calls: ModelCalls, runs: number): Promise<Times> {
  const times: Times = { connect: [], disconnect: [], expire: [] }
  for (const slug of OTHERS) await api.signIn((await api.connect(slug)).id)
  for (let run = 0; run < 2 * runs;) {
    const { id: thread } = await api.createThread()
    await api.sendMessage(thread, { text: 'Go on and on.', messageId: `message-${run}` })
    await calls.next(false, Date.now())
    for (let n = 0; n < RUNS_PER_TURN && run < 2 * runs; n++, run++) {
      const { id } = await api.connect(LATE)
      const connected = await time(calls, true, () => api.signIn(id))
      // Every connect is followed by one of two losses; half of the connects belong to each.
      const isExpiry = run % 2 === 1
      const lost = await time(calls, false, async () => (isExpiry ? web.expire(id) : api.disconnect(id)))
      if (run % 2 === 0) times.connect.push(connected)
      ;(isExpiry ? times.expire : times.disconnect).push(lost)
      if (isExpiry) await api.disconnect(id)
    }
    await api.stopTurn(thread)
    await calls.silence()
  }
  return times
}

/** From the change to the first model call that knows of it. */
async function time(calls: ModelCalls, isKnown: boolean, change: () => Promise<unknown>): Promise<number> {
  const began = Date.now()
  const [at] = await Promise.all([calls.next(isKnown, began), change()])
  return at - began
}

function summarise(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

// The package of the database server ends this process with 0, whatever `exitCode` says.
process.exit(await main())
