import type { ModelClient } from '@capstan/harness'
import type { Allowance, Clock } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'
import { judgeEnvelope } from '@capstan/harness/triage'
import type { Judgement } from '@capstan/harness/triage'
import { classifyOutcome } from '@capstan/harness/stages'
import type { TriggerDecision } from '@capstan/protocol'
import type { JobResult, JobRun } from '../jobs/job-handler.ts'
import { toRetryDelay } from '../jobs/retry-delay.ts'
import type { DailyBudget } from './daily-budget.ts'
import { quietUntil } from './quiet-hours.ts'
import type { SourceStore } from './source-store.ts'
import type { StoredSource } from './stored-source.ts'
import { nextDayAfter } from './stored-source.ts'
import { bodyOf, stateOf, toJson } from './trigger-job.ts'
import type { TriggerState } from './trigger-job.ts'

/** The models that judge. */
export interface JudgeModels {
  readonly model: ModelClient
  readonly fallback?: ModelClient
}

export interface DecideParts {
  readonly sources: SourceStore
  readonly budget: DailyBudget
  /** Undefined: there is no model that could judge. */
  readonly modelsOf: (userId: string, name: string) => JudgeModels | undefined
  readonly allowanceOf: (userId: string) => Allowance
  readonly clock: Clock
}

const TARGETS = [
  { id: 'orchestrator', description: 'The assistant with the tools and the apps of the user.' },
]
/** After so many deferrals in a row the pause stays as it is: about five minutes. */
const MOST_DEFERRALS = 6

/** Either the state with its decision, or when to look again. */
type Decided = { readonly state: TriggerState } | { readonly later: JobResult }

/** Switches, quiet hours and the budget first, in this order; only then a model sees the trigger. */
export async function decideTrigger(job: JobRow, run: JobRun, parts: DecideParts): Promise<Decided> {
  const { sources, budget } = parts
  const { userId } = job
  const state = stateOf(job)
  const source = sources.find(userId, bodyOf(job).sourceId)
  const now = run.now()
  const drop = (by: 'switch' | 'removed'): Decided => ({
    state: withDecision(state, { action: 'drop', reason: '', by, at: now }),
  })
  const waitUntil = (next: number, waitsFor: 'quiet-hours' | 'budget'): Decided => ({
    later: { next, state: toJson({ ...state, waitsFor }) },
  })
  if (!source) return drop('removed')
  if (source.isOff || sources.of(userId).isOff) return drop('switch')
  const quiet = quietUntil(source.quietHours, now)
  if (quiet !== undefined) return waitUntil(quiet, 'quiet-hours')
  if (!budget.hasMoney(source)) return waitUntil(nextDayAfter(now), 'budget')
  return judge(job, run, source, parts)
}

async function judge(
  job: JobRow,
  run: JobRun,
  source: StoredSource,
  { sources, budget, modelsOf, allowanceOf, clock }: DecideParts,
): Promise<Decided> {
  const { userId } = job
  const state = stateOf(job)
  const models = modelsOf(userId, sources.of(userId).model)
  if (!models) return { later: defer(state, NO_MODEL, run.now()) }
  const allowance = allowanceOf(userId)
  await allowance.ready()
  const judged = await judgeEnvelope(bodyOf(job).envelope, {
    ...models,
    rule: source.rule,
    examples: source.examples.map(({ label, payload, right, note }) => ({
      label,
      payload,
      right,
      ...(note !== undefined && { note }),
    })),
    targets: TARGETS,
    allowance,
    clock,
    signal: run.signal,
  })
  await budget.spend(userId, source.id, judged.costUsd)
  if (judged.type === 'deferred') {
    // It was paused, or everything was stopped: no model has failed.
    run.signal.throwIfAborted()
    return { later: defer(state, judged, run.now()) }
  }
  const { action, reason } = judged.decision
  const answering = judged.by === 'fallback' ? models.fallback : models.model
  const decision = {
    action,
    reason: reason.slice(0, 1_000),
    by: judged.by,
    ...(answering && { model: answering.id }),
    ...('prompt' in judged.decision && { prompt: judged.decision.prompt.slice(0, 8_000) }),
    at: run.now(),
  }
  return { state: { ...withDecision(state, decision), costUsd: state.costUsd + judged.costUsd } }
}

type Deferred = Omit<Extract<Judgement, { type: 'deferred' }>, 'type'>

const NO_MODEL: Deferred = {
  reason: 'There is no model that can judge triggers. The demo model cannot.',
  costUsd: 0,
}

/** It stays where it is, and is judged later. */
function defer(state: TriggerState, { reason, failure, costUsd }: Deferred, now: number): JobResult {
  const deferrals = state.deferrals + 1
  return {
    next: now + toRetryDelay(Math.min(deferrals, MOST_DEFERRALS), failure?.retryAfterMs),
    state: toJson({ ...state, waitsFor: 'model', deferrals, costUsd: state.costUsd + costUsd }),
    failure: failure ?? { ...classifyOutcome({ text: reason }), cause: reason, next: NEXT },
  }
}

const NEXT = 'It is judged again later. Check the model in the settings.'

function withDecision(
  state: TriggerState,
  decision: TriggerDecision & { readonly prompt?: string },
): TriggerState {
  const { waitsFor: _, ...rest } = state
  return { ...rest, deferrals: 0, decision }
}
