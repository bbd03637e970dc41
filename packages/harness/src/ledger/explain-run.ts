import type { Failure, RunId, RunStatus, UsageRow, WaitsFor } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord } from '../ports/ledger.ts'
import { toEndingSentence } from './ending-sentence.ts'
import { sumUsage } from '../turn/sum-usage.ts'
import type {
  RunStory,
  StoryCall,
  StoryCallStatus,
  StoryCost,
  StoryEnding,
  StoryFailure,
  StoryPrefixBreak,
  StoryStep,
} from './run-story.ts'
import type { CallTale, FailureSeen, RunTale, StepTale } from './run-tale.ts'
import { gatherTales } from './run-tale.ts'

/**
 * The story of one run, from its thread's ledger alone: no model, no clock, nothing else is asked. Undefined when
 * the records know no such run.
 */
export function explainRun(records: readonly LedgerRecord[], runId: RunId): RunStory | undefined {
  const tale = gatherTales(records).get(runId)
  return tale && toStory(tale)
}

/** The stories of all turns of a thread, oldest first; sub-agents are inside them. */
export function explainThread(records: readonly LedgerRecord[]): readonly RunStory[] {
  return [...gatherTales(records).values()].filter(({ start }) => start.depth === 0).map(toStory)
}

function toStory(tale: RunTale): RunStory {
  const { start, startedAt, endedAt, outcome } = tale
  return {
    runId: start.runId,
    conversationId: start.conversationId,
    agent: start.agent,
    depth: start.depth,
    origin: start.origin,
    model: start.model,
    ...(start.parent ? { parent: start.parent } : undefined),
    asked: start.text,
    status: statusOf(tale),
    startedAt,
    ...(endedAt === undefined ? undefined : { endedAt }),
    durationMs: (endedAt ?? tale.lastAt) - startedAt,
    parkedMs: tale.parkedMs,
    iterations: outcome?.iterations ?? tale.iterations,
    steps: tale.steps.map((step) => toStep(step, tale)),
    cost: toCost(tale),
    stopped: toEnding(tale),
    prefixBreaks: treeOf(tale).flatMap(prefixBreaksOf),
    failures: countFailures(treeOf(tale).flatMap(failuresOf)),
  }
}

function statusOf(tale: RunTale): RunStatus {
  return tale.outcome?.type ?? (waitOf(tale) ? 'waiting' : 'running')
}

/** What the run or one below it is parked for. */
function waitOf(tale: RunTale): WaitsFor | undefined {
  for (const { parked, isOver } of treeOf(tale)) if (parked && !isOver) return parked.waitsFor
  return undefined
}

/** The run and everything below it, parents first. */
function treeOf(tale: RunTale): readonly RunTale[] {
  return [tale, ...callsOf(tale).flatMap(({ children }) => children.flatMap(treeOf))]
}

const isCall = (step: StepTale): step is CallTale => step.type === 'call'
const callsOf = ({ steps }: RunTale): readonly CallTale[] => steps.filter(isCall)

function toStep(step: StepTale, tale: RunTale): StoryStep {
  if (!isCall(step)) return step
  const { ok: _, isIntended: __, children, attempts, ...facts } = step
  const told: StoryCall = {
    ...facts,
    label: facts.label === '' ? 'A call' : facts.label,
    attempts: Math.max(1, attempts),
    status: callStatusOf(step, tale),
    runs: children.map(toStory),
  }
  return { ...told, at: step.at }
}

function callStatusOf(
  { ok, failure, isIntended, approvals, children }: CallTale,
  tale: RunTale,
): StoryCallStatus {
  if (ok) return 'ok'
  if (ok === false) return failure?.category === 'stopped' ? 'stopped' : 'failed'
  if (tale.isOver) return isIntended ? 'unknown' : 'stopped'
  const waits = approvals.some(({ decision }) => decision === undefined) || children.some(waitOf)
  return waits ? 'waiting' : 'running'
}

function toCost(tale: RunTale): StoryCost {
  const tree = treeOf(tale)
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

function sum(rows: readonly UsageRow[]): Pick<StoryCost, 'calls' | 'total'> {
  let calls = 0
  let total = NO_USAGE
  for (const row of rows) {
    calls += row.calls
    total = sumUsage(total, row.usage)
  }
  return { calls, total }
}

function toEnding(tale: RunTale): StoryEnding {
  const { outcome } = tale
  if (outcome) return { sentence: toEndingSentence(outcome), outcome }
  const waitsFor = waitOf(tale)
  if (!waitsFor) return { sentence: `It has not ended. ${lastHeardOf(tale)}` }
  return { sentence: waitSentence(waitsFor, tale), waitsFor }
}

function waitSentence({ kind, id }: WaitsFor, tale: RunTale): string {
  if (kind === 'sign-in') return `It waits for you to sign in (${id}).`
  const call = treeOf(tale)
    .flatMap(callsOf)
    .find(({ approvals }) => approvals.some((approval) => approval.id === id))
  return `It waits for your yes or no to ${call ? `"${call.label}"` : 'a call'} (${id}).`
}

function lastHeardOf(tale: RunTale): string {
  const open = treeOf(tale)
    .flatMap((run) => callsOf(run).filter(({ ok }) => ok === undefined))
    .at(-1)
  if (open) return `When it was last heard of, it was at "${open.label}".`
  if (tale.iterations === 0) return 'When it was last heard of, it had only just begun.'
  return `When it was last heard of, it was at step ${tale.iterations}, waiting for the model.`
}

function prefixBreaksOf({ start, steps }: RunTale): readonly StoryPrefixBreak[] {
  return steps.flatMap((step) => {
    if (step.type !== 'prefix-break') return []
    const { iteration, field, reason } = step
    return [{ runId: start.runId, agent: start.agent, iteration, field, reason }]
  })
}

function failuresOf(tale: RunTale): readonly FailureSeen[] {
  const seen = tale.steps.flatMap((step): readonly FailureSeen[] => {
    if (step.type === 'retry') return [{ failure: step.failure, where: 'the model' }]
    return step.type === 'call' && step.failure ? [{ failure: step.failure, where: step.tool }] : []
  })
  // That of a sub-agent is the failure of the call it worked for.
  if (tale.outcome?.type !== 'failed' || tale.start.parent) return seen
  return [...seen, { failure: tale.outcome.failure, where: 'the turn' }]
}

function countFailures(seen: readonly FailureSeen[]): readonly StoryFailure[] {
  const classes = new Map<Failure['class'], StoryFailure>()
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
