import type { JobRow, RunStore } from '@capstan/harness/stores'
import type { ThreadId, TriggerOutcome } from '@capstan/protocol'
import type { JobResult, JobRun } from '../jobs/job-handler.ts'
import type { UnattendedOutcome } from '../unattended/to-outcome.ts'
import type { Unattended } from '../unattended/unattended.ts'
import type { DailyBudget } from './daily-budget.ts'
import type { SourceStore } from './source-store.ts'
import type { StoredSource } from './stored-source.ts'
import { nextDayAfter } from './stored-source.ts'
import { bodyOf, toJson } from './trigger-job.ts'
import type { TriggerState } from './trigger-job.ts'

export interface TurnParts {
  readonly sources: SourceStore
  readonly budget: DailyBudget
  readonly unattended: Unattended
  readonly runs: Pick<RunStore, 'findByMessage'>
}

const BUSY_MS = 30_000
const FIRST_LOOK_MS = 500
const LONGEST_LOOK_MS = 30_000
const MAX_TEXT_CHARS = 2_000

/**
 * Starts the turn of a trigger, and looks after it until it has ended or waits for a person. The id of the job is the id of
 * the message, so a repeat after a kill finds the turn that is there.
 */
export async function runTriggerTurn(
  job: JobRow,
  run: JobRun,
  decided: TriggerState,
  parts: TurnParts,
): Promise<JobResult> {
  const { sources, budget, unattended } = parts
  const { userId } = job
  const { sourceId } = bodyOf(job)
  if (decided.threadId !== undefined) return look(job, run, decided, parts)
  const source = sources.find(userId, sourceId)
  if (!source) return { done: true, state: toJson({ ...decided, outcome: { type: 'gone' } }) }
  const { waitsFor: _, ...state } = decided
  const wait = (waitsFor: 'held' | 'busy' | 'budget', next = run.now() + BUSY_MS): JobResult => ({
    next,
    state: toJson({ ...state, waitsFor }),
  })
  if (source.isOff || sources.of(userId).isOff) return wait('held')
  let { reserved } = state
  if (!reserved) {
    reserved = await budget.reserve(userId, sourceId)
    if (!reserved) return wait('budget', nextDayAfter(run.now()))
    await run.save(toJson({ ...state, reserved }))
  }
  const ready = { ...state, reserved }
  const started = await start(job, ready, source, unattended)
  if (started.type === 'later')
    return { next: run.now() + BUSY_MS, state: toJson({ ...ready, waitsFor: started.reason }) }
  if (started.type === 'gone') return { done: true, state: toJson({ ...ready, outcome: { type: 'gone' } }) }
  const running = { ...ready, threadId: started.threadId, outcome: { type: 'running' } as const }
  await run.save(toJson(running))
  return look(job, run, running, parts)
}

async function start(
  job: JobRow,
  { decision, reserved }: TriggerState,
  source: StoredSource,
  unattended: Unattended,
) {
  const { envelope } = bodyOf(job)
  const request = {
    userId: job.userId,
    origin: 'trigger',
    title: envelope.label,
    prompt: `${INTRODUCTIONS[decision?.action === 'escalate' ? 'escalate' : 'react']}\n\n${decision?.prompt ?? ''}`,
    untrusted: { source: source.name, text: `${envelope.label}\n\n${envelope.payload}` },
    messageId: job.id,
    limits: { usd: reserved?.usd ?? 0 },
  } as const
  if (source.threadId === null) return unattended.run(request)
  const started = await unattended.run({ ...request, threadId: source.threadId })
  // The thread was deleted: the work is done all the same, in a thread of its own.
  return started.type === 'gone' ? unattended.run(request) : started
}

const INTRODUCTIONS = {
  react: 'A trigger came in while nobody was here. Do this small task:',
  escalate:
    'A trigger came in while nobody was here, and it needs the user. Find out what they must know, ' +
    'and end with what you propose and what they have to decide. The task:',
} as const

/** How the turn stands. One that runs is looked at again later. */
async function look(
  job: JobRow,
  run: JobRun,
  state: TriggerState,
  { unattended, runs, budget }: TurnParts,
): Promise<JobResult> {
  // It was killed after this was stored.
  if (state.outcome && state.outcome.type !== 'running') return { done: true, state: toJson(state) }
  const threadId = state.threadId as ThreadId
  const outcome = toTriggerOutcome(await unattended.outcomeOf(job.userId, threadId, job.id))
  if (outcome.type === 'running') {
    const looks = (state.looks ?? 0) + 1
    const pauseMs = Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(looks - 1, 10))
    return { next: run.now() + pauseMs, state: toJson({ ...state, looks, outcome }) }
  }
  if (outcome.type === 'waits') return { done: true, state: toJson({ ...state, outcome }) }
  const turn = await runs.findByMessage(threadId, job.id)
  const usage = turn?.outcome?.usage
  const costUsd = usage ? usage.chargedUsd + usage.estimatedUsd : 0
  const { reserved, ...rest } = state
  const ended = toJson({ ...rest, outcome, costUsd: state.costUsd + costUsd })
  // Stored first: a kill before the rest is given back counts too much, and a repeat gives nothing back twice.
  await run.save(ended)
  if (reserved)
    await budget.giveBack(job.userId, bodyOf(job).sourceId, { ...reserved, usd: reserved.usd - costUsd })
  return { done: true, state: ended }
}

export function toTriggerOutcome(outcome: UnattendedOutcome): TriggerOutcome {
  switch (outcome.type) {
    case 'running':
    case 'waits':
    case 'gone':
      return { type: outcome.type }
    case 'failed':
      return { type: 'failed', text: outcome.text.slice(0, MAX_TEXT_CHARS) }
    case 'ended':
      return { type: outcome.isCapped ? 'capped' : 'done', text: outcome.text.slice(0, MAX_TEXT_CHARS) }
  }
}
