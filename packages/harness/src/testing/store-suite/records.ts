import type {
  CallId,
  Failure,
  GrantBinding,
  RunId,
  ThreadId,
  TurnEvent,
  TurnOutcome,
  Usage,
  WaitsFor,
} from '@capstan/protocol'
import type { ApprovalRequest } from '../../ports/approval-gate.ts'
import type { LedgerRecord, RunStart } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import { StoreError } from '../../turn/errors.ts'
import type { StoreProblem } from '../../turn/errors.ts'

/** The user of most rows. */
export const USER = 'user_1'
/** A second user. */
export const OTHER_USER = 'user_2'
/** The thread of most records. */
export const THREAD = 'thread_1' as ThreadId
/** A second thread. */
export const OTHER_THREAD = 'thread_2' as ThreadId
/** The run of most records. */
export const RUN = 'run_1' as RunId
/** The call of most records. */
export const CALL = 'call_1' as CallId

/** Usage with a value in every field. */
export const USAGE: Usage = {
  inputTokens: 1_000,
  outputTokens: 50,
  cachedInputTokens: 800,
  cacheWriteTokens: 100,
  reasoningTokens: 20,
  chargedUsd: 0.25,
  estimatedUsd: 0.5,
}

/** A failure of a call. */
export const FAILURE: Failure = {
  class: 'timeout',
  category: 'transient',
  cause: 'It took too long.',
  next: 'Try again.',
  recoverable: true,
  retryAfterMs: 1_500,
  evidence: { rule: 'timed-out', fact: 'timedOut' },
}

/** An outcome of type `done`. */
export const done = (text = 'It is done.'): TurnOutcome => ({
  type: 'done',
  text,
  usage: USAGE,
  iterations: 2,
})

/** A `run-start` record with fields to override. */
export function runStart(at: number, run: Partial<RunStart> = {}): LedgerRecord {
  return {
    type: 'run-start',
    at,
    run: {
      runId: RUN,
      conversationId: THREAD,
      agent: 'orchestrator',
      depth: 0,
      origin: 'web',
      model: 'model-a',
      budget: { iterations: 20, usd: 1.5 },
      text: 'What is new?',
      ...run,
    },
  }
}

/** A `run-start` record of a sub-agent that the call `call_1` of its parent started. */
export function childStart(at: number, runId: string, parent: string, depth = 1): LedgerRecord {
  return runStart(at, {
    runId: runId as RunId,
    conversationId: runId,
    agent: 'researcher',
    depth,
    parent: { runId: parent as RunId, callId: CALL },
    text: 'Look into it.',
  })
}

/** A `run-park` record. */
export const runPark = (at: number, runId: string, waitsFor: WaitsFor): LedgerRecord => ({
  type: 'run-park',
  at,
  runId: runId as RunId,
  waitsFor,
})

/** A `run-resume` record. */
export const runResume = (at: number, runId: string): LedgerRecord => ({
  type: 'run-resume',
  at,
  runId: runId as RunId,
})

/** A `run-end` record. */
export const runEnd = (at: number, runId: string = RUN, outcome: TurnOutcome = done()): LedgerRecord => ({
  type: 'run-end',
  at,
  runId: runId as RunId,
  outcome,
})

/** An event record with a text delta. */
export function event(seq: number, threadId: ThreadId = THREAD, delta = `word ${seq}`): LedgerRecord {
  return { type: 'event', at: 1_000 + seq, event: eventBody(seq, threadId, delta) }
}

/** A text-delta event. */
export function eventBody(seq: number, threadId: ThreadId = THREAD, delta = `word ${seq}`): TurnEvent {
  return { type: 'text-delta', iteration: 1, delta, threadId, runId: RUN, seq, at: 1_000 + seq }
}

/** A record of a user message. */
export function userMessage(
  at: number,
  text: string,
  delivery?: 'steer' | 'follow-up',
  runId: string = RUN,
): LedgerRecord {
  const message = { role: 'user', parts: [{ type: 'text', text }], ...(delivery && { delivery }) } as const
  return { type: 'message', at, runId: runId as RunId, message }
}

/** A `call-intent` record. */
export function intent(at: number, callId: string, runId: string = RUN): LedgerRecord {
  return {
    type: 'call-intent',
    at,
    runId: runId as RunId,
    callId: callId as CallId,
    tool: 'send_mail',
    effect: 'write',
    digest: `digest of ${callId}`,
  }
}

/** The result of a write, with its audit facts. */
export function result(at: number, callId: string, failure?: Failure, runId: string = RUN): LedgerRecord {
  const call = { callId: callId as CallId, tool: 'send_mail' }
  const facts = { durationMs: 120, outputBytes: 2_048, ok: !failure }
  return {
    type: 'call-result',
    at,
    runId: runId as RunId,
    result: { ...call, ...facts, ...(failure && { failure }) },
    message: { role: 'tool', ...call, ok: !failure, text: failure?.cause ?? 'Sent.' },
    effect: 'write',
    audit: {
      effect: 'write',
      digest: `digest of ${callId}`,
      decision: failure ? 'refused' : 'approved',
    },
  }
}

/** The result of a read, which has no intent. */
export const readResult = (at: number, callId: string, runId: string = RUN): LedgerRecord => ({
  type: 'call-result',
  at,
  runId: runId as RunId,
  result: { callId: callId as CallId, tool: 'search', ok: true, durationMs: 7, outputBytes: 11 },
  message: { role: 'tool', callId: callId as CallId, tool: 'search', ok: true, text: 'Found it.' },
  effect: 'read',
})

/** A `usage` record. */
export const usageOf = (
  at: number,
  model: string,
  runId: string = RUN,
  usage: Usage = USAGE,
): LedgerRecord => ({
  type: 'usage',
  at,
  runId: runId as RunId,
  model,
  usage,
  elapsedMs: 900,
})

/** What a grant for the call of an approval is bound to. */
export const BINDING: GrantBinding = {
  app: { toolkit: 'mail', name: 'Mail' },
  connectionId: 'connection_1',
  definitionDigest: 'definition_1',
  effect: 'write',
}

/** An `approval-open` record. */
export function approval(id: string, fields: Partial<ApprovalRequest> = {}): LedgerRecord {
  const request: ApprovalRequest = {
    id,
    threadId: THREAD,
    runId: RUN,
    callId: CALL,
    tool: 'send_mail',
    label: 'Send a mail',
    arguments: { to: 'ada@example.com', tags: ['a', 'b'], nested: { deep: null } },
    digest: 'digest of call_1',
    signature: 'signature of call_1',
    binding: BINDING,
    limits: [{ to: ['ada@example.com'] }, { to: ['*@example.com'] }],
    createdAt: 2_000,
    expiresAt: 5_000,
    ...fields,
  }
  return { type: 'approval-open', at: request.createdAt, request }
}

/** Creates a thread with a started turn. */
export async function beginTurn(store: Store, run: Partial<RunStart> = {}): Promise<void> {
  await store.threads.create({ id: THREAD, userId: USER, at: 1_000 })
  await store.ledger.commit(THREAD, [runStart(1_100, run)])
}

/** The kind of `StoreError` that an action throws. Other errors are thrown. */
export async function problemOf(action: () => unknown): Promise<StoreProblem | 'none'> {
  try {
    await action()
    return 'none'
  } catch (error) {
    if (error instanceof StoreError) return error.kind
    throw error
  }
}
