import type { CallId, CallRow, Failure, RunDetail, RunId, RunRow, ThreadId, Usage } from '@capstan/protocol'
import { FAILURE_CATEGORIES, NO_USAGE } from '@capstan/protocol'

/** A turn for tests: from second 1 to second 11, done. */
export function runRow(id: string, fields: Partial<RunRow> = {}): RunRow {
  return {
    id: id as RunId,
    threadId: 'thread_1' as ThreadId,
    agent: 'orchestrator',
    depth: 0,
    origin: 'web',
    model: 'demo',
    status: 'done',
    text: 'Save this to Notes',
    startedAt: 1000,
    endedAt: 11_000,
    resumes: 0,
    ...fields,
  }
}

/** A call for tests: one second, ended at second 3, ok. */
export function callRow(runId: string, callId: string, fields: Partial<CallRow> = {}): CallRow {
  return {
    runId: runId as RunId,
    threadId: 'thread_1' as ThreadId,
    callId: callId as CallId,
    tool: 'read_file',
    status: 'ok',
    at: 3000,
    durationMs: 1000,
    outputBytes: 10,
    ...fields,
  }
}

export const failureOf = (name: Failure['class']): Failure => ({
  class: name,
  category: FAILURE_CATEGORIES[name],
  cause: 'It failed.',
  next: 'Try again.',
  recoverable: false,
})

export const usage = (fields: Partial<Usage> = {}): Usage => ({ ...NO_USAGE, ...fields })

export function detail(fields: Partial<RunDetail> = {}): RunDetail {
  const run = fields.run ?? runRow('run_1')
  return { run, tree: [run], calls: [], explanation: [], prefixBreaks: [], spans: [], waitedMs: 0, ...fields }
}

/** The parent of a sub-agent. */
export const below = (runId: string, callId: string): NonNullable<RunRow['parent']> => ({
  runId: runId as RunId,
  callId: callId as CallId,
})
