import type {
  CallRow,
  ExplainLine,
  ExplainPart,
  Origin,
  RunDetail,
  RunPage,
  RunRow,
  RunStatus,
  SnapshotStep,
  Stats,
  TurnSnapshot,
  UsageRow,
} from '@capstan/protocol'
import { EXPLAIN_KEYS } from '@capstan/protocol'
import { z } from 'zod'
import {
  callId,
  count,
  failure,
  failureClass,
  milliseconds,
  parentCall,
  runId,
  threadId,
  usage,
  waitsFor,
} from './common.ts'
import { describes } from './describes.ts'
import { turnOutcome } from './turn-outcome.ts'

export const runStatus = describes<RunStatus>()(
  z.enum(['running', 'waiting', 'done', 'halted', 'capped', 'needs-input', 'failed', 'aborted']),
)

const runRow = describes<RunRow>()(
  z.strictObject({
    id: runId,
    threadId,
    parent: parentCall.optional(),
    agent: z.string(),
    depth: count,
    origin: describes<Origin>()(
      z.enum(['web', 'cli', 'channel', 'trigger', 'schedule', 'task', 'unlabelled']),
    ),
    model: z.string(),
    status: runStatus,
    text: z.string(),
    startedAt: milliseconds,
    endedAt: milliseconds.optional(),
    resumes: count,
    waitsFor: waitsFor.optional(),
    outcome: turnOutcome.optional(),
  }),
).meta({ id: 'RunRow' })

export const runPage = describes<RunPage>()(
  z.strictObject({
    runs: z.array(runRow),
    next: milliseconds.optional(),
    nextCursor: z.string().optional(),
  }),
)

const callRow = describes<CallRow>()(
  z.strictObject({
    runId,
    threadId,
    callId,
    tool: z.string(),
    effect: z.enum(['read', 'write', 'admin']).optional(),
    status: z.enum(['started', 'ok', 'failed']),
    decision: z.enum(['allowed', 'approved', 'refused', 'invalid']).optional(),
    failure: failure.optional(),
    at: milliseconds,
    durationMs: milliseconds,
    outputBytes: count,
    digest: z.string().optional(),
  }),
).meta({ id: 'CallRow' })

const explainPart = describes<ExplainPart>()(
  z.strictObject({
    key: z.enum(EXPLAIN_KEYS),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .readonly()
      .optional(),
    failure: failure.optional(),
  }),
).meta({ id: 'ExplainPart' })

const explainLine = describes<ExplainLine>()(
  z.strictObject({
    kind: z
      .enum([
        'heading',
        'fact',
        'step',
        'note',
        'reason',
        'ok',
        'failed',
        'stopped',
        'unknown',
        'waiting',
        'running',
      ])
      .optional(),
    depth: count,
    text: z.string(),
    parts: z.array(explainPart).readonly().optional(),
    time: z.string().optional(),
    durationMs: milliseconds.optional(),
  }),
)

const snapshotStep = describes<SnapshotStep>()(
  z.strictObject({
    runId,
    callId,
    depth: count,
    tool: z.string(),
    label: z.string(),
    detail: z.string().optional(),
    status: z.enum(['ok', 'failed', 'stopped', 'running', 'waiting', 'unknown']),
    at: milliseconds,
    durationMs: milliseconds.optional(),
    failure: failure.optional(),
  }),
).meta({ id: 'SnapshotStep' })

const turnSnapshot = describes<TurnSnapshot>()(
  z.strictObject({
    status: runStatus,
    iterations: count,
    steps: z.array(snapshotStep).readonly(),
    failure: failure.optional(),
    usage,
  }),
).meta({ id: 'TurnSnapshot' })

export const runDetail = describes<RunDetail>()(
  z.strictObject({
    run: runRow,
    tree: z.array(runRow),
    calls: z.array(callRow),
    explanation: z.array(explainLine),
    prefixBreaks: z.array(z.strictObject({ field: z.string(), reason: z.string() })),
    spans: z.array(
      z.strictObject({
        runId,
        kind: z.enum(['model', 'waiting']),
        startedAt: milliseconds,
        endedAt: milliseconds.optional(),
      }),
    ),
    waitedMs: milliseconds,
    snapshot: turnSnapshot.optional(),
  }),
)

const usageRow = describes<UsageRow>()(z.strictObject({ model: z.string(), calls: count, usage }))

export const stats = describes<Stats>()(
  z.strictObject({
    days: z.array(
      z.strictObject({
        day: z.string(),
        turns: count,
        failed: count,
        inputTokens: z.number(),
        cachedInputTokens: z.number(),
        outputTokens: z.number(),
        usd: z.number(),
      }),
    ),
    models: z.array(usageRow),
    failures: z.array(z.strictObject({ class: failureClass, count })),
    prefix: z.strictObject({ calls: count, breaks: count }),
  }),
)
