import { parseArgs } from 'node:util'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import { openPostgresStore } from '@capstan/stores/postgres'
import { startPostgres } from '../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'

// Measures commits of a store on PostgreSQL: a page as most are, an iteration with its usage, the start and end of a turn,
// a sync, and commits of many threads at the same time. Starts a server from npm unless it gets an address.
// node tools/measure-postgres/main.ts [--commits 2000] [--threads 32] [--url postgres://…]

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '2000' },
    threads: { type: 'string', default: '32' },
    url: { type: 'string' },
  },
})
const commits = Number(values.commits)
const USER = 'ann'
const USAGE = {
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0,
}

const event = (threadId: ThreadId, seq: number): LedgerRecord => ({
  type: 'event',
  at: seq,
  event: {
    type: 'text-delta',
    iteration: 1,
    delta: 'word '.repeat(40),
    threadId,
    runId: runOf(threadId),
    seq,
    at: seq,
  },
})
const runOf = (threadId: ThreadId, n = 0): RunId => `run ${n} of ${threadId}` as RunId

function iteration(threadId: ThreadId, seq: number): LedgerRecord[] {
  const call = { callId: `call_${seq}` as CallId, tool: 'look', ok: true }
  const runId = runOf(threadId)
  return [
    event(threadId, seq),
    { type: 'usage', at: seq, runId, model: 'model', usage: USAGE, elapsedMs: 1 },
    {
      type: 'call-result',
      at: seq,
      runId,
      result: { ...call, durationMs: 1, outputBytes: 1_000 },
      message: { role: 'tool', ...call, text: 'line of a file\n'.repeat(70) },
      effect: 'read',
    },
  ]
}

const start = (threadId: ThreadId, n: number): LedgerRecord => ({
  type: 'run-start',
  at: n,
  run: {
    runId: runOf(threadId, n),
    conversationId: threadId,
    agent: 'lead',
    depth: 0,
    origin: 'web',
    model: 'model',
    budget: {},
    text: 'Where is the harbour?',
  },
})
const end = (threadId: ThreadId, n: number): LedgerRecord => ({
  type: 'run-end',
  at: n,
  runId: runOf(threadId, n),
  outcome: { type: 'done', text: 'Behind the lighthouse.', usage: USAGE, iterations: 1 },
})

let created = 0
async function createThread(store: Store): Promise<ThreadId> {
  const id = `thread_${process.pid}_${++created}` as ThreadId
  await store.threads.create({ id, userId: USER, at: 1 })
  await store.ledger.commit(id, [start(id, 0)])
  return id
}

/** Prints how long one of them takes, and how many there are in a second. */
async function measure(name: string, count: number, work: () => Promise<void>): Promise<void> {
  const before = performance.now()
  await work()
  const ms = performance.now() - before
  const each = Math.round((1_000 * ms) / count)
  console.log(
    `${name.padEnd(44)} ${String(each).padStart(6)} µs each, ${String(Math.round((1_000 * count) / ms)).padStart(6)} a second`,
  )
}

const server = values.url === undefined ? await startPostgres() : undefined
const store = await openPostgresStore({
  url: values.url ?? server!.url,
  env: { CAPSTAN_SECRET_KEY: '00'.repeat(32) },
})
try {
  const plain = await createThread(store)
  for (let seq = 1; seq <= 200; seq++) await store.ledger.commit(plain, [event(plain, seq)])
  await measure('a page', commits, async () => {
    for (let seq = 201; seq <= 200 + commits; seq++) await store.ledger.commit(plain, [event(plain, seq)])
  })
  const working = await createThread(store)
  await measure('an iteration with usage and a result', commits, async () => {
    for (let seq = 1; seq <= commits; seq++) await store.ledger.commit(working, iteration(working, seq))
  })
  await measure('the start and the end of a turn', commits / 4, async () => {
    for (let n = 1; n <= commits / 4; n++) {
      await store.ledger.commit(working, [start(working, n)])
      await store.ledger.commit(working, [end(working, n)])
    }
  })
  await measure('an iteration and a sync', commits / 4, async () => {
    for (let seq = 1 + commits; seq <= 1.25 * commits; seq++) {
      await store.ledger.commit(working, iteration(working, seq))
      await store.ledger.sync()
    }
  })
  const threads = await Promise.all(Array.from({ length: Number(values.threads) }, () => createThread(store)))
  const perThread = Math.ceil((2 * commits) / threads.length)
  await measure(`iterations of ${threads.length} threads at once`, perThread * threads.length, async () => {
    await Promise.all(
      threads.map(async (id) => {
        for (let seq = 1; seq <= perThread; seq++) await store.ledger.commit(id, iteration(id, seq))
      }),
    )
  })
} finally {
  await store.close()
  await server?.close()
}
// The library that starts the server keeps the process alive.
process.exit()
