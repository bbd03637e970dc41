import { describe, expect, it } from 'vitest'
import type { CallId, RunId, TurnOutcome } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { explainRun, explainThread } from './explain-run.ts'
import { renderRunReport } from './render-run-report.ts'
import type { RunReport, ReportCall, ReportStep } from './run-report.ts'
import {
  CHILD,
  done,
  event,
  EXPIRED_SIGN_IN,
  iteration,
  message,
  paid,
  replies,
  result,
  runStart,
  spent,
  THREAD_ID,
  toolStart,
  TOP,
  TRIP,
  UNREACHABLE,
} from '../thread.fixture.ts'

function explain(records: readonly LedgerRecord[], runId: RunId = TOP): RunReport {
  const report = explainRun(records, runId)
  if (!report) throw new Error('no such run')
  return report
}

const typesOf = ({ steps }: RunReport) => steps.map(({ type }) => type)
const callsOf = ({ steps }: RunReport) =>
  steps.filter((step): step is ReportCall & ReportStep => step.type === 'call')

const SAVE = {
  callId: 'c1' as CallId,
  tool: 'save_note',
  label: 'Save note',
  arguments: { title: 'x' },
  digest: 'd',
}
const asked = (at: number, id = 'approval_1'): readonly LedgerRecord[] => [
  {
    type: 'approval-open',
    at,
    request: {
      ...SAVE,
      id,
      threadId: THREAD_ID,
      runId: TOP,
      signature: 's',
      createdAt: at,
      expiresAt: at + 9000,
    },
  },
  event(at + 1, TOP, {
    type: 'approval-request',
    iteration: 1,
    approvalId: id,
    expiresAt: at + 9000,
    ...SAVE,
  }),
]
const parked = (at: number): LedgerRecord => ({
  type: 'run-park',
  at,
  runId: TOP,
  waitsFor: { kind: 'approval', id: 'approval_1' },
})

describe('explainRun', () => {
  it('returns undefined for a run that is not in the records', () => {
    expect(explainRun(TRIP, 'run_nobody' as RunId)).toBeUndefined()
    expect(explainRun([], TOP)).toBeUndefined()
  })

  it('reports the question, the steps in order and the ending', () => {
    const report = explain(TRIP)
    expect(report).toMatchObject({
      asked: 'What should I pack?',
      agent: 'assistant',
      status: 'done',
      startedAt: 1000,
      endedAt: 2000,
      durationMs: 1000,
      iterations: 2,
    })
    expect(typesOf(report)).toEqual(['iteration', 'said', 'call', 'call', 'iteration', 'said'])
    expect(report.stopped).toMatchObject({ sentence: 'It answered.', outcome: { type: 'done' } })
  })

  it('reports a call with its label, detail, duration and failure', () => {
    expect(callsOf(explain(TRIP))[0]).toMatchObject({
      tool: 'read_calendar',
      label: 'Read calendar',
      detail: 'tomorrow',
      status: 'failed',
      durationMs: 500,
      failure: EXPIRED_SIGN_IN,
    })
  })

  it('nests a sub-agent under its call, even when both runs use the same call ids', () => {
    const [first, second] = callsOf(explain(TRIP))
    expect(first?.runs).toEqual([])
    expect(second?.runs.map(({ runId }) => runId)).toEqual([CHILD])
    const child = second?.runs[0]
    expect(child && typesOf(child)).toEqual(['iteration', 'call', 'iteration', 'said'])
    expect(child && callsOf(child)[0]).toMatchObject({ label: 'Search notes', status: 'ok' })
  })

  it('explainThread reports each turn of a thread once', () => {
    const next = runStart(3000, { runId: 'run_next' as RunId, text: 'And now?' })
    expect(explainThread([...TRIP, next]).map(({ runId }) => runId)).toEqual([TOP, 'run_next'])
    expect(explainThread([...TRIP, next])[0]).toEqual(explain(TRIP))
  })

  it('reports on a sub-agent when given its run id', () => {
    expect(explain(TRIP, CHILD)).toMatchObject({
      agent: 'notes_helper',
      depth: 1,
      asked: 'Look up the list.',
    })
  })

  it('sums the cost by model and lists the share of each sub-agent', () => {
    const { cost } = explain(TRIP)
    expect(cost.total).toEqual(spent(3200, 75, 0.03))
    expect(cost.calls).toBe(4)
    expect(cost.models.map(({ model, calls, usage }) => [model, calls, usage.inputTokens])).toEqual([
      ['demo/big', 2, 2500],
      ['demo/small', 2, 700],
    ])
    expect(cost.subAgents).toEqual([{ runId: CHILD, agent: 'notes_helper', calls: 2, usage: spent(700, 25) }])
  })

  it('lists the prefix breaks of the run and of its sub-agents', () => {
    expect(explain(TRIP).prefixBreaks).toEqual([])
    const broken = (at: number, runId: RunId) =>
      event(at, runId, { type: 'prefix-break', iteration: 2, field: 'tools', reason: 'a tool was added' })
    const records = [...TRIP.slice(0, -2), broken(1950, TOP), broken(1951, CHILD)]
    expect(explain(records).prefixBreaks).toMatchObject([
      { runId: TOP, iteration: 2, field: 'tools', reason: 'a tool was added' },
      { runId: CHILD, agent: 'notes_helper' },
    ])
  })

  it('counts the failures of calls and of the model by class, most frequent first', () => {
    const retry = (at: number, attempt: number) =>
      event(at, TOP, {
        type: 'model-retry',
        iteration: 1,
        model: 'demo/big',
        attempt,
        delayMs: 500,
        failure: UNREACHABLE,
      })
    const report = explain([...TRIP, retry(2001, 1), retry(2002, 2)])
    expect(report.failures).toMatchObject([
      { class: 'model_unreachable', count: 2, where: ['the model'] },
      { class: 'bad_credentials', count: 1, where: ['read_calendar'], next: 'Reconnect the account.' },
    ])
    expect(typesOf(report)).toContain('retry')
  })

  it('names the approval a parked run waits for', () => {
    const report = explain([
      runStart(1000),
      iteration(1001, TOP, 1),
      replies(1002, TOP, '', ['c1', 'save_note', { title: 'x' }]),
      toolStart(1003, TOP, 'c1', 'save_note', 'Save note'),
      ...asked(1004),
      parked(1005),
    ])
    expect(report.status).toBe('waiting')
    expect(report.stopped).toEqual({
      sentence: 'It waits for your yes or no to "Save note" (approval_1).',
      waitsFor: { kind: 'approval', id: 'approval_1' },
    })
    expect(callsOf(report)[0]).toMatchObject({
      status: 'waiting',
      approvals: [{ id: 'approval_1', askedAt: 1004 }],
    })
  })

  it('reports how long an approval waited and the decision', () => {
    const report = explain([
      runStart(1000),
      iteration(1001, TOP, 1),
      toolStart(1003, TOP, 'c1', 'save_note', 'Save note'),
      ...asked(1004),
      parked(1006),
      { type: 'run-resume', at: 61_006, runId: TOP },
      toolStart(61_006, TOP, 'c1', 'save_note', 'Save note'),
      event(61_007, TOP, {
        type: 'approval-answer',
        iteration: 1,
        approvalId: 'approval_1',
        decision: 'allow-once',
      }),
      result(61_020, TOP, 'c1', 'save_note'),
      done(61_100, TOP, 'Saved.'),
    ])
    expect(typesOf(report)).toEqual(['iteration', 'call', 'park', 'resume'])
    expect(report.steps[3]).toMatchObject({ after: 'wait', pausedMs: 60_000 })
    expect(report.parkedMs).toBe(60_000)
    expect(report.waitedMs).toBe(60_003)
    expect(report.calls).toEqual({ ran: 1, notRun: 0 })
    expect(renderRunReport(report)[4]?.text).toContain('took 97 ms, and waited 1 min 0 s for a person')
    expect(callsOf(report)[0]).toMatchObject({
      status: 'ok',
      attempts: 1,
      approvals: [{ decision: 'allow-once', waitedMs: 60_003 }],
    })
  })

  it('counts what ran, not what was announced', () => {
    const refused = explain([
      runStart(1000),
      iteration(1001, TOP, 1),
      toolStart(1003, TOP, 'c1', 'save_note', 'Save note'),
      ...asked(1004),
      event(2007, TOP, {
        type: 'approval-answer',
        iteration: 1,
        approvalId: 'approval_1',
        decision: 'deny',
      }),
      {
        ...result(2020, TOP, 'c1', 'save_note', { failure: EXPIRED_SIGN_IN }),
        audit: { decision: 'refused' },
      } as LedgerRecord,
      done(2100, TOP, 'Not saved.'),
    ])
    expect(callsOf(refused)[0]).toMatchObject({ attempts: 0 })
    expect(refused.calls).toEqual({ ran: 0, notRun: 1 })
    expect(refused.waitedMs).toBe(1003)
    const lines = renderRunReport(refused).map(({ text }) => text)
    expect(lines).toContain('Save note (save_note), not run')
    expect(lines[4]).toContain('0 calls (1 more not run)')
  })

  it('reports the parent of a parked sub-agent as waiting', () => {
    const waitsFor = { kind: 'approval', id: 'approval_1' } as const
    const records: readonly LedgerRecord[] = [
      ...TRIP.slice(0, 13),
      { type: 'run-park', at: 2000, runId: CHILD, waitsFor },
    ]
    expect(explain(records)).toMatchObject({ status: 'waiting', stopped: { waitsFor } })
    expect(callsOf(explain(records))[1]).toMatchObject({ status: 'waiting', runs: [{ status: 'waiting' }] })
    const resumed = explain([...records, { type: 'run-resume', at: 5000, runId: TOP }])
    expect(resumed.steps.at(-1)).toMatchObject({ type: 'resume', after: 'wait', pausedMs: 3000 })
  })

  it('reports a resume without a park as an interruption', () => {
    const report = explain([
      runStart(1000),
      iteration(1001, TOP, 1),
      {
        type: 'call-intent',
        at: 1002,
        runId: TOP,
        callId: 'c1' as CallId,
        tool: 'save_note',
        effect: 'write',
        digest: 'd',
      },
      { type: 'run-resume', at: 5002, runId: TOP },
      iteration(5003, TOP, 1),
    ])
    expect(report.steps).toMatchObject([
      { type: 'iteration' },
      { type: 'call', effect: 'write' },
      { type: 'resume', after: 'interruption', pausedMs: 4000 },
      { type: 'iteration', iteration: 1, again: true },
    ])
  })

  it('reports a write without a result as unknown', () => {
    const report = explain([
      runStart(1000),
      {
        type: 'call-intent',
        at: 1002,
        runId: TOP,
        callId: 'c1' as CallId,
        tool: 'save_note',
        effect: 'write',
        digest: 'd',
      },
      done(1003, TOP, 'Done.'),
    ])
    expect(callsOf(report)[0]?.status).toBe('unknown')
  })

  it('names the last activity of a running run', () => {
    const begun = [runStart(1000)]
    const thinking = [...begun, iteration(1001, TOP, 3)]
    const calling = [...thinking, toolStart(1002, TOP, 'c1', 'save_note', 'Save note')]
    expect([begun, thinking, calling].map((records) => explain(records).stopped.sentence)).toEqual([
      'It has not ended. Last activity: it started.',
      'It has not ended. Last activity: step 3, waiting for the model.',
      'It has not ended. Last activity: "Save note".',
    ])
    expect(explain(calling).status).toBe('running')
  })

  it.each<[Partial<TurnOutcome> & Pick<TurnOutcome, 'type'>, string]>([
    [
      { type: 'done', cut: 'length' },
      'It answered, but the model ran into its output limit, so the answer is cut off.',
    ],
    [
      { type: 'halted', guard: 'ping-pong', failure: EXPIRED_SIGN_IN },
      '"ping-pong" stopped it, because it was getting nowhere. The last reason: The sign-in has expired.',
    ],
    [
      { type: 'capped', cap: { kind: 'iterations', limit: 10 }, resumeToken: 't' },
      'It reached its limit of 10 steps and paused; it can be continued.',
    ],
    [{ type: 'capped', cap: { kind: 'usd', limit: 2 } }, 'It reached its limit of $2 and paused.'],
    [{ type: 'capped', cap: { kind: 'tokens', limit: 1 } }, 'It reached its limit of 1 token and paused.'],
    [
      { type: 'capped', cap: { kind: 'wall-clock', limit: 600_000 } },
      'It reached its limit of 10 min 0 s and paused.',
    ],
    [
      { type: 'needs-input', callId: 'c1' as CallId },
      'It asked the user a question and ended there; the next message is the answer.',
    ],
    [
      { type: 'failed', failure: UNREACHABLE },
      'It failed. The AI model could not be reached. Check the connection.',
    ],
    [{ type: 'aborted' }, 'It was stopped before it had finished.'],
  ])('states why a run ended: %j', (ending, sentence) => {
    const outcome = { text: 'x', usage: NO_USAGE, iterations: 1, ...ending } as TurnOutcome
    const report = explain([runStart(1000), { type: 'run-end', at: 1001, runId: TOP, outcome }])
    expect(report.stopped.sentence).toBe(sentence)
    expect(report.status).toBe(ending.type)
  })

  it('reports notices, nudges and compactions in order', () => {
    const report = explain([
      runStart(1000),
      event(1001, TOP, { type: 'notice-add', iteration: 1, text: 'Gmail is now connected.' }),
      event(1002, TOP, {
        type: 'guard-nudge',
        iteration: 1,
        guard: 'ping-pong',
        text: 'Try something else.',
      }),
      event(1003, TOP, {
        type: 'history-compact',
        iteration: 1,
        tokensBefore: 900,
        tokensAfter: 90,
        how: 'summary',
      }),
    ])
    expect(report.steps).toMatchObject([
      { type: 'notice', text: 'Gmail is now connected.' },
      { type: 'nudge', guard: 'ping-pong' },
      { type: 'compaction', tokensBefore: 900, tokensAfter: 90 },
    ])
  })

  it('reports the delivery of messages queued during the run', () => {
    const queued = (at: number, id: string, mode: 'steer' | 'follow-up'): LedgerRecord => ({
      type: 'message-queue',
      at,
      id,
      mode,
      text: `message ${id}`,
    })
    const dequeued = (at: number, id: string, refused?: string): LedgerRecord => ({
      type: 'message-dequeue',
      at,
      id,
      ...(refused === undefined ? undefined : { refused }),
    })
    const report = explain([
      runStart(1000),
      queued(1010, 'a', 'steer'),
      queued(1011, 'b', 'follow-up'),
      queued(1012, 'c', 'steer'),
      queued(1013, 'd', 'steer'),
      dequeued(1500, 'a'),
      event(1500, TOP, { type: 'message-deliver', iteration: 2, text: 'message a' }),
      dequeued(1600, 'c', 'the turn failed first'),
      done(1601, TOP, 'Done.'),
      dequeued(1602, 'b'),
      runStart(1603, { runId: 'run_next' as RunId, text: 'message b' }),
    ])
    expect(report.steps).toMatchObject([
      { text: 'message a', delivery: 'delivered', waitedMs: 490 },
      { text: 'message c', delivery: 'refused', refused: 'the turn failed first' },
      { text: 'message b', delivery: 'next-turn' },
      { text: 'message d', delivery: 'waiting' },
    ])
  })

  it('sums the usage of all model calls in one iteration', () => {
    const report = explain([
      runStart(1000),
      iteration(1001, TOP, 1),
      ...paid(1002, TOP, 1, 'demo/big', spent(10, 1)),
      ...paid(1003, TOP, 1, 'demo/big', spent(20, 2)),
    ])
    expect(report.steps[0]).toMatchObject({ usage: { inputTokens: 30, outputTokens: 3 }, durationMs: 200 })
  })

  it('marks a reply that was cut off', () => {
    const cut = message(1001, TOP, {
      role: 'assistant',
      parts: [{ type: 'text', text: 'Take a' }],
      cut: true,
    })
    expect(explain([runStart(1000), cut]).steps).toEqual([
      { type: 'said', at: 1001, text: 'Take a', cut: true },
    ])
  })
})
