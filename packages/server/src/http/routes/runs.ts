import { explainRun, renderRunReport, runToMarkdown, toSnapshot } from '@capstan/harness/ledger'
import { scrubLongText } from '@capstan/harness/stages'
import type { RunId } from '@capstan/protocol'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { toFile } from '../payload/to-file.ts'
import { ownRun } from '../queries/own-thread.ts'
import { defineRoute, raw } from '../route.ts'
import { runId, threadId } from '../schemas/common.ts'
import { runDetail, runPage, runStatus, stats } from '../schemas/runs.ts'
import { createDayCounter } from '../queries/count-days.ts'
import { timeSpansOf } from '../queries/time-spans.ts'

const counter = createDayCounter()

/** Where a page of runs ended: its last run, by time and id. */
const runCursor = z
  .string()
  .regex(/^\d{1,16}~.{1,200}$/)
  .transform((text) => {
    const at = text.indexOf('~')
    return { startedAt: Number(text.slice(0, at)), id: text.slice(at + 1) as RunId }
  })

const listRuns = defineRoute({
  method: 'GET',
  path: '/api/runs',
  rights: 'user',
  summary: 'Runs of turns, newest first.',
  query: {
    threadId: threadId.optional(),
    status: runStatus.optional(),
    cursor: runCursor.optional(),
    before: z.coerce.number().int().min(0).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  },
  answer: runPage,
  async handle({ assistant, caller, query }) {
    const { limit, ...more } = query
    const runs = await assistant.store.runs.list({ userId: caller.userId, depth: 0, limit, ...more })
    const last = runs.length === limit ? runs.at(-1) : undefined
    return {
      runs: [...runs],
      ...(last && { next: last.startedAt, nextCursor: `${last.startedAt}~${last.id}` }),
    }
  },
})

const getRun = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId',
  rights: 'user',
  summary: 'A run with its sub-agents and calls, and a report of it made without a model.',
  params: { runId },
  answer: runDetail,
  async handle(call) {
    const run = await ownRun(call, call.params.runId)
    const { runs, ledger } = call.assistant.store
    const tree = await runs.tree(run.id)
    const calls = await runs.calls(tree.map(({ id }) => id))
    const trace = explainRun(await ledger.read(run.threadId), run.id)
    return {
      run,
      tree: [...tree],
      calls: [...calls],
      explanation: trace ? [...renderRunReport(trace)] : [],
      prefixBreaks: (trace?.prefixBreaks ?? []).map(({ field, reason }) => ({ field, reason })),
      spans: trace ? [...timeSpansOf(trace)] : [],
      waitedMs: trace?.waitedMs ?? 0,
      ...(trace && { snapshot: toSnapshot(trace) }),
    }
  },
})

const readTranscript = defineRoute({
  method: 'GET',
  path: '/api/runs/:runId/transcript',
  rights: 'user',
  summary: 'The conversation of a run, also of a sub-agent, as Markdown.',
  params: { runId },
  answer: raw('text/markdown'),
  async handle(call) {
    const run = await ownRun(call, call.params.runId)
    const text = runToMarkdown(run.id, await call.assistant.store.ledger.read(run.threadId))
    if (text === undefined) throw notFound()
    return toFile(scrubLongText(text), 'text/markdown; charset=utf-8', `${run.id}.md`)
  },
})

const readStats = defineRoute({
  method: 'GET',
  path: '/api/stats',
  rights: 'user',
  summary: 'Tokens, cost and failures of the last days.',
  query: { days: z.coerce.number().int().min(1).max(365).default(30) },
  answer: stats,
  handle: ({ assistant, caller, query }) => counter.read(assistant.store, caller.userId, query.days),
})

export const RUN_ROUTES = [listRuns, getRun, readTranscript, readStats]
