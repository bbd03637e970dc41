import type { Failure, RunId, RunStatus, UsageRow, WaitsFor } from '@capstan/protocol'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { toEndingSentence } from './ending-sentence.ts'
import type {
  RunReport,
  ReportCall,
  ReportCallStatus,
  ReportCost,
  ReportEnding,
  ReportFailure,
  ReportPrefixBreak,
  ReportStep,
} from './run-report.ts'
import { collectRuns } from './collect-runs.ts'
import type { CallTrace, FailureSeen, RunTrace, StepTrace } from './run-trace.ts'
import { waitedForPeople } from './waited-for-people.ts'

/**
 * Reports on one run from its thread's records alone, without a model or a clock. Undefined when the records contain
 * no such run.
 */
export function explainRun(records: readonly LedgerRecord[], runId: RunId): RunReport | undefined {
  const trace = collectRuns(records).get(runId)
  return trace && toReport(trace)
}

/** Reports on all turns of a thread, oldest first. The report of a sub-agent is inside the call that started it. */
export function explainThread(records: readonly LedgerRecord[]): readonly RunReport[] {
  return [...collectRuns(records).values()].filter(({ start }) => start.depth === 0).map(toReport)
}

function toReport(trace: RunTrace): RunReport {
  const { start, startedAt, endedAt, outcome } = trace
  const took = (endedAt ?? trace.lastAt) - startedAt
  return {
    runId: start.runId,
    conversationId: start.conversationId,
    agent: start.agent,
    depth: start.depth,
    origin: start.origin,
    model: start.model,
    ...(start.parent ? { parent: start.parent } : undefined),
    asked: start.text,
    status: statusOf(trace),
    startedAt,
    ...(endedAt === undefined ? undefined : { endedAt }),
    durationMs: took,
    parkedMs: trace.parkedMs,
    waitedMs: Math.min(waitedForPeople(treeOf(trace), endedAt ?? trace.lastAt), took),
    calls: countCalls(trace),
    iterations: outcome?.iterations ?? trace.iterations,
    steps: trace.steps.map((step) => toStep(step, trace)),
    cost: toCost(trace),
    stopped: toEnding(trace),
    prefixBreaks: treeOf(trace).flatMap(prefixBreaksOf),
    failures: countFailures(treeOf(trace).flatMap(failuresOf)),
  }
}

function statusOf(trace: RunTrace): RunStatus {
  return trace.outcome?.type ?? (waitOf(trace) ? 'waiting' : 'running')
}

/** What the run, or a run below it that it waits for, is parked for. */
const waitOf = ({ parked, isOver }: RunTrace): WaitsFor | undefined => (isOver ? undefined : parked?.waitsFor)

/** The run and all runs below it, parents first. */
function treeOf(trace: RunTrace): readonly RunTrace[] {
  return [trace, ...callsOf(trace).flatMap(({ children }) => children.flatMap(treeOf))]
}

const isCall = (step: StepTrace): step is CallTrace => step.type === 'call'
const callsOf = ({ steps }: RunTrace): readonly CallTrace[] => steps.filter(isCall)

function toStep(step: StepTrace, trace: RunTrace): ReportStep {
  if (!isCall(step)) return step
  const {
    ok: _,
    isIntended: __,
    isCounted: ___,
    asksSignIn: _____,
    children,
    attempts: ____,
    ...facts
  } = step
  const call: ReportCall = {
    ...facts,
    label: facts.label === '' ? 'A call' : facts.label,
    attempts: attemptsOf(step),
    status: callStatusOf(step, trace),
    runs: children.map(toReport),
  }
  return { ...call, at: step.at }
}

/** A call with a result of its own has run, even when nothing was announced. */
function attemptsOf({ attempts, ok, decision, isIntended }: CallTrace): number {
  const hasRun =
    ok === true || isIntended || (ok === false && decision !== 'refused' && decision !== 'invalid')
  return hasRun ? Math.max(1, attempts) : attempts
}

function countCalls(trace: RunTrace): RunReport['calls'] {
  const calls = treeOf(trace).flatMap(callsOf)
  const ran = calls.filter((call) => attemptsOf(call) > 0).length
  return { ran, notRun: calls.length - ran }
}

function callStatusOf(
  { ok, failure, isIntended, asksSignIn, approvals, children }: CallTrace,
  trace: RunTrace,
): ReportCallStatus {
  if (ok) return 'ok'
  if (ok === false) return failure?.category === 'stopped' ? 'stopped' : 'failed'
  if (trace.isOver) return isIntended ? 'unknown' : 'stopped'
  const waits =
    asksSignIn || approvals.some(({ decision }) => decision === undefined) || children.some(waitOf)
  return waits ? 'waiting' : 'running'
}

function toCost(trace: RunTrace): ReportCost {
  const tree = treeOf(trace)
  const models = new Map<string, UsageRow>()
  for (const { model, calls, usage } of tree.flatMap((run) => [...run.usage.values()])) {
    const row = models.get(model) ?? { model, calls: 0, usage: NO_USAGE }
    models.set(model, { model, calls: row.calls + calls, usage: sumUsage(row.usage, usage) })
  }
  return {
    ...sum([...models.values()]),
    models: [...models.values()],
    subAgents: tree.slice(1).map((run) => {
      const { calls, total } = sum([...run.usage.values()])
      return { runId: run.start.runId, agent: run.start.agent, calls, usage: total }
    }),
  }
}

function sum(rows: readonly UsageRow[]): Pick<ReportCost, 'calls' | 'total'> {
  let calls = 0
  let total = NO_USAGE
  for (const row of rows) {
    calls += row.calls
    total = sumUsage(total, row.usage)
  }
  return { calls, total }
}

function toEnding(trace: RunTrace): ReportEnding {
  const { outcome } = trace
  if (outcome) return { sentence: toEndingSentence(outcome), outcome }
  const waitsFor = waitOf(trace)
  if (!waitsFor) return { sentence: `It has not ended. Last activity: ${toLastActivity(trace)}` }
  return { sentence: waitSentence(waitsFor, trace), waitsFor }
}

function waitSentence({ kind, id }: WaitsFor, trace: RunTrace): string {
  if (kind === 'sign-in') return `It waits for you to sign in (${id}).`
  const call = treeOf(trace)
    .flatMap(callsOf)
    .find(({ approvals }) => approvals.some((approval) => approval.id === id))
  return `It waits for your yes or no to ${call ? `"${call.label}"` : 'a call'} (${id}).`
}

function toLastActivity(trace: RunTrace): string {
  const open = treeOf(trace)
    .flatMap((run) => callsOf(run).filter(({ ok }) => ok === undefined))
    .at(-1)
  if (open) return `"${open.label}".`
  if (trace.iterations === 0) return 'it started.'
  return `step ${trace.iterations}, waiting for the model.`
}

function prefixBreaksOf({ start, steps }: RunTrace): readonly ReportPrefixBreak[] {
  return steps.flatMap((step) => {
    if (step.type !== 'prefix-break') return []
    const { iteration, field, reason } = step
    return [{ runId: start.runId, agent: start.agent, iteration, field, reason }]
  })
}

function failuresOf(trace: RunTrace): readonly FailureSeen[] {
  const seen = trace.steps.flatMap((step): readonly FailureSeen[] => {
    if (step.type === 'retry') return [{ failure: step.failure, where: 'the model' }]
    return step.type === 'call' && step.failure ? [{ failure: step.failure, where: step.tool }] : []
  })
  // The failure of a sub-agent is counted as the failure of its call.
  if (trace.outcome?.type !== 'failed' || trace.start.parent) return seen
  return [...seen, { failure: trace.outcome.failure, where: 'the turn' }]
}

function countFailures(seen: readonly FailureSeen[]): readonly ReportFailure[] {
  const classes = new Map<Failure['class'], ReportFailure>()
  for (const { failure, where } of seen) {
    const known = classes.get(failure.class)
    classes.set(failure.class, {
      class: failure.class,
      category: failure.category,
      count: (known?.count ?? 0) + 1,
      where: [...new Set([...(known?.where ?? []), where])],
      cause: failure.cause,
      next: failure.next,
    })
  }
  return [...classes.values()].toSorted((a, b) => b.count - a.count)
}
