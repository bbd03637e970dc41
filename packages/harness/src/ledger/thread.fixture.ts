import type { CallId, Failure, RunId, ThreadId, ThreadRow, TurnEventBody, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord, RunStart } from '../ports/ledger.ts'
import type { Message } from '../turn/message/message.ts'

// Ledger records written by hand.

/** The thread of these records. */
export const THREAD_ID = 'thread_1' as ThreadId
/** The run of the turn. */
export const TOP = 'run_top' as RunId
/** The run of the sub-agent. */
export const CHILD = 'run_child' as RunId

/** The row of the thread. */
export const THREAD: ThreadRow = {
  id: THREAD_ID,
  userId: 'local',
  title: 'The trip',
  createdAt: Date.UTC(2026, 0, 5),
  updatedAt: Date.UTC(2026, 0, 5),
}

/** The failure of a call. */
export const EXPIRED_SIGN_IN: Failure = {
  class: 'bad_credentials',
  category: 'needs_user',
  cause: 'The sign-in has expired.',
  next: 'Reconnect the account.',
  recoverable: false,
}

/** The failure of a model call. */
export const UNREACHABLE: Failure = {
  class: 'model_unreachable',
  category: 'transient',
  cause: 'The AI model could not be reached.',
  next: 'Check the connection.',
  recoverable: true,
}

/** Usage with these tokens and this estimated cost. */
export const spent = (inputTokens: number, outputTokens: number, estimatedUsd = 0): Usage => ({
  ...NO_USAGE,
  inputTokens,
  outputTokens,
  estimatedUsd,
})

/** A `run-start` record of the top run, with fields to override. */
export function runStart(at: number, run: Partial<RunStart> = {}): LedgerRecord {
  return {
    type: 'run-start',
    at,
    run: {
      runId: TOP,
      conversationId: THREAD_ID,
      agent: 'assistant',
      depth: 0,
      origin: 'cli',
      model: 'demo/big',
      budget: {},
      text: 'What should I pack?',
      ...run,
    },
  }
}

/** A `run-start` record of the sub-agent's run. */
export const childStart = (at: number, callId: string): LedgerRecord =>
  runStart(at, {
    runId: CHILD,
    conversationId: CHILD,
    agent: 'notes_helper',
    depth: 1,
    model: 'demo/small',
    parent: { runId: TOP, callId: callId as CallId },
    text: 'Look up the list.',
  })

/** An event record whose sequence number is its time. */
export const event = (at: number, runId: RunId, body: TurnEventBody): LedgerRecord => ({
  type: 'event',
  at,
  event: { ...body, threadId: THREAD_ID, runId, seq: at, at },
})

/** A message record. */
export const message = (at: number, runId: RunId, content: Message): LedgerRecord => ({
  type: 'message',
  at,
  runId,
  message: content,
})

/** A user message with a preface. */
export const asks = (at: number, text: string, runId = TOP): LedgerRecord =>
  message(at, runId, { role: 'user', parts: [{ type: 'text', text }], preface: 'Today is Monday.' })

/** An assistant message with text and calls. */
export function replies(
  at: number,
  runId: RunId,
  text: string,
  ...calls: readonly [id: string, tool: string, args: object][]
): LedgerRecord {
  return message(at, runId, {
    role: 'assistant',
    parts: [
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...calls.map(([id, tool, args]) => ({
        type: 'call' as const,
        call: { id: id as CallId, tool, arguments: args as Record<string, string> },
      })),
    ],
  })
}

/** The start of an iteration. */
export const iteration = (at: number, runId: RunId, number: number): LedgerRecord =>
  event(at, runId, { type: 'iteration-start', iteration: number, maxIterations: 10 })

/** The records of one model call. */
export const paid = (
  at: number,
  runId: RunId,
  number: number,
  model: string,
  usage: Usage,
): readonly LedgerRecord[] => [
  { type: 'usage', at, runId, model, usage, elapsedMs: at },
  event(at, runId, {
    type: 'usage-update',
    iteration: number,
    model,
    call: usage,
    total: usage,
    durationMs: 100,
  }),
]

/** The start of a call. */
export const toolStart = (
  at: number,
  runId: RunId,
  callId: string,
  tool: string,
  label: string,
  detail?: string,
): LedgerRecord =>
  event(at, runId, {
    type: 'tool-start',
    iteration: 1,
    callId: callId as CallId,
    tool,
    arguments: { words: detail ?? '' },
    label,
    ...(detail === undefined ? undefined : { detail }),
  })

/** The result of a call, failed when a failure is given. */
export function result(
  at: number,
  runId: RunId,
  callId: string,
  tool: string,
  { text = 'ok', durationMs = 10, failure }: { text?: string; durationMs?: number; failure?: Failure } = {},
): LedgerRecord {
  const id = callId as CallId
  const ok = failure === undefined
  return {
    type: 'call-result',
    at,
    runId,
    result: {
      callId: id,
      tool,
      ok,
      durationMs,
      outputBytes: text.length,
      ...(failure ? { failure } : undefined),
    },
    message: { role: 'tool', callId: id, tool, ok, text },
  }
}

/** The end of a run that answered. */
export const done = (
  at: number,
  runId: RunId,
  text: string,
  usage = NO_USAGE,
  iterations = 2,
): LedgerRecord => ({
  type: 'run-end',
  at,
  runId,
  outcome: { type: 'done', text, usage, iterations },
})

/** A turn with a failed call, a sub-agent and an answer. */
export const TRIP: readonly LedgerRecord[] = [
  { type: 'conversation-open', at: 1000, conversationId: THREAD_ID, agent: 'assistant', system: 'Be brief.' },
  runStart(1000),
  asks(1001, 'What should I pack?'),
  event(1002, TOP, {
    type: 'turn-start',
    agent: 'assistant',
    depth: 0,
    model: 'demo/big',
    text: 'What should I pack?',
  }),
  iteration(1003, TOP, 1),
  ...paid(1100, TOP, 1, 'demo/big', spent(1000, 20, 0.01)),
  replies(
    1101,
    TOP,
    'I will look.',
    ['c1', 'read_calendar', { day: 'tomorrow' }],
    ['c2', 'delegate_to_notes_helper', { prompt: 'Look up the list.' }],
  ),
  toolStart(1102, TOP, 'c1', 'read_calendar', 'Read calendar', 'tomorrow'),
  result(1602, TOP, 'c1', 'read_calendar', { text: '401', durationMs: 500, failure: EXPIRED_SIGN_IN }),
  toolStart(1603, TOP, 'c2', 'delegate_to_notes_helper', 'Ask notes helper'),
  childStart(1604, 'c2'),
  message(1605, CHILD, { role: 'user', parts: [{ type: 'text', text: 'Look up the list.' }] }),
  iteration(1606, CHILD, 1),
  ...paid(1700, CHILD, 1, 'demo/small', spent(300, 10)),
  replies(1701, CHILD, '', ['c1', 'search_notes', { words: 'pack' }]),
  toolStart(1702, CHILD, 'c1', 'search_notes', 'Search notes', 'pack'),
  result(1714, CHILD, 'c1', 'search_notes', { text: 'Rain jacket, torch.', durationMs: 12 }),
  iteration(1715, CHILD, 2),
  ...paid(1800, CHILD, 2, 'demo/small', spent(400, 15)),
  replies(1801, CHILD, 'Rain jacket and torch.'),
  done(1802, CHILD, 'Rain jacket and torch.'),
  result(1810, TOP, 'c2', 'delegate_to_notes_helper', { text: 'Rain jacket and torch.', durationMs: 207 }),
  iteration(1811, TOP, 2),
  ...paid(1900, TOP, 2, 'demo/big', spent(1500, 30, 0.02)),
  replies(1901, TOP, 'Take a rain jacket.'),
  done(2000, TOP, 'Take a rain jacket.', spent(3200, 75, 0.03)),
  event(2000, TOP, {
    type: 'turn-end',
    outcome: { type: 'done', text: 'Take a rain jacket.', usage: spent(3200, 75, 0.03), iterations: 2 },
  }),
]
