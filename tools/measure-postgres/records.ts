import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { CallId, RunId, ThreadId } from '@capstan/protocol'

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

const runOf = (threadId: ThreadId, n = 0): RunId => `run ${n} of ${threadId}` as RunId

/** A piece of streamed text. */
export const event = (threadId: ThreadId, seq: number): LedgerRecord => ({
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

/** What an iteration commits: an event, the usage of a model call, and a result of 1 KB. */
export function iteration(threadId: ThreadId, seq: number): LedgerRecord[] {
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

export const start = (threadId: ThreadId, n: number): LedgerRecord => ({
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

export const end = (threadId: ThreadId, n: number): LedgerRecord => ({
  type: 'run-end',
  at: n,
  runId: runOf(threadId, n),
  outcome: { type: 'done', text: 'Behind the lighthouse.', usage: USAGE, iterations: 1 },
})

let created = 0

/** A new thread with a running turn. */
export async function createThread(store: Store): Promise<ThreadId> {
  const id = `thread_${process.pid}_${++created}` as ThreadId
  await store.threads.create({ id, userId: USER, at: 1 })
  await store.ledger.commit(id, [start(id, 0)])
  return id
}
