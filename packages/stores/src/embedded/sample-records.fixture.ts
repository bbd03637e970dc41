import type { LedgerRecord, RunStart, Store } from '@capstan/harness'
import type { CallId, RunId, ThreadId, Usage } from '@capstan/protocol'

export const THREAD = 'thread_1' as ThreadId
export const RUN = 'run_1' as RunId
export const USER = 'ann'

const USAGE: Usage = {
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 80,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0.125,
}

export function runStart(text: string, fields: Partial<RunStart> = {}): LedgerRecord {
  const run: RunStart = {
    runId: RUN,
    conversationId: THREAD,
    agent: 'orchestrator',
    depth: 0,
    origin: 'web',
    model: 'm',
    budget: {},
    text,
    ...fields,
  }
  return { type: 'run-start', at: 1, run }
}

export function runEnd(text: string, runId = RUN): LedgerRecord {
  return { type: 'run-end', at: 2, runId, outcome: { type: 'done', text, usage: USAGE, iterations: 1 } }
}

export function notice(seq: number, text = 'something'): LedgerRecord {
  const event = {
    threadId: THREAD,
    runId: RUN,
    seq,
    at: seq,
    type: 'notice-add',
    iteration: 0,
    text,
  } as const
  return { type: 'event', at: seq, event }
}

const usage = (at: number): LedgerRecord => ({
  type: 'usage',
  at,
  runId: RUN,
  model: 'm',
  usage: USAGE,
  elapsedMs: 1,
})

/** One iteration: what was said, what it cost and what a tool answered. */
export function iteration(seq: number, text: string): LedgerRecord[] {
  const callId = `call_${seq}` as CallId
  return [
    notice(seq),
    usage(seq),
    {
      type: 'call-result',
      at: seq,
      runId: RUN,
      result: { callId, tool: 'read_file', ok: true, durationMs: 1, outputBytes: text.length },
      message: { role: 'tool', callId, tool: 'read_file', ok: true, text },
      effect: 'read',
    },
  ]
}

/** A thread with one turn of so many iterations. */
export async function fill(store: Store, iterations = 20): Promise<void> {
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?', { messageId: 'message_1' })])
  for (let seq = 1; seq <= iterations; seq++) {
    await store.ledger.commit(THREAD, iteration(seq, `part ${seq} `.repeat(40)))
  }
  await store.ledger.commit(THREAD, [runEnd('Behind the lighthouse.')])
}

/** Everything the store says of that thread, to be compared. */
export async function tell(store: Store): Promise<unknown> {
  return {
    records: await store.ledger.read(THREAD),
    events: await store.ledger.readEvents(THREAD, 0),
    threads: await store.threads.list({ userId: USER }),
    runs: await store.runs.list({ userId: USER }),
    calls: await store.runs.calls([RUN]),
    usage: await store.runs.usage({ userId: USER }),
    found: await store.threads.search({ userId: USER, words: 'light' }),
    byMessage: await store.runs.findByMessage(THREAD, 'message_1'),
  }
}
