import type { JobRow } from '@capstan/harness/stores'
import type { ScheduleRun } from '@capstan/protocol'
import type { JobHandler, JobResult } from '../jobs/job-handler.ts'
import type { Tell } from '../notifications/notifications.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { planFiring } from './plan-firing.ts'
import { readRuns } from './read-runs.ts'
import type { ScheduleBody, ScheduleState } from './schedule-job.ts'
import { bodyOf, SCHEDULE_KIND, stateOf, timesOf, toMessageId, toState, withRun } from './schedule-job.ts'
import type { DueTimes } from './timing/due-times.ts'

/** A thread that is busy is asked again after so long. */
const BUSY_MS = 60_000
const MINUTE_MS = 60_000
/** A turn that waits for a person is looked at less and less; screens read how it stands themselves. */
const MAX_WATCH_MS = 6 * 60 * MINUTE_MS

/**
 * Starts the turns of schedules when they are due, and keeps what became of them. A schedule never runs twice at a time: a
 * due time waits until the turn before has ended or waits for a person.
 */
export function createScheduleHandler(unattended: Unattended, tell: Tell): JobHandler {
  return {
    kind: SCHEDULE_KIND,
    // A store that is away must not end a schedule for good.
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async run(job, { now, save }) {
      const body = bodyOf(job)
      const times = timesOf(body)
      const before = await settleFiring(stateOf(job, times), { job, body, unattended, now }, times)
      const runs = await readRuns(job, before.runs, (...asked) => unattended.outcomeOf(...asked))
      await tellFailed(job, before.runs, runs, tell)
      const step = toStep({ ...before, runs }, body, now(), times)
      // A repeat after a kill must ask for the same run, and know whether its turn is there.
      if (step.fire) await save(toState(withFiring(step.before, step.fire)))
      const state = step.fire ? await startRun(step.fire, step, { job, body, unattended, now }) : step.after
      const failure = findNewFailure(before.runs, runs)
      return { ...toResult(state, now()), ...(failure && { failure }) }
    },
  }
}

interface StartParts {
  readonly job: JobRow
  readonly body: ScheduleBody
  readonly unattended: Unattended
  readonly now: () => number
}

const withFiring = (state: ScheduleState, { dueAt, isManual }: ScheduleRun): ScheduleState =>
  isManual ? state : { ...state, firing: dueAt }

/** After a kill: a turn that was started counts as run. If there is none, the rule decides about its due time anew. */
async function settleFiring(
  { firing, ...state }: ScheduleState,
  { job, body, unattended, now }: StartParts,
  times: DueTimes,
): Promise<ScheduleState> {
  if (firing === undefined) return state
  const run: ScheduleRun = { dueAt: firing, outcome: 'running' }
  const { threadId } = body
  const messageId = toMessageId(job.id, run)
  const found = await unattended.find({
    userId: job.userId,
    messageId,
    ...(threadId !== undefined && { threadId }),
  })
  if (!found) return state
  return {
    ...state,
    due: times.after(firing),
    runs: withRun(state.runs, { ...run, ...found, startedAt: now() }),
  }
}

interface Step {
  /** The run to start. Undefined: none. */
  readonly fire?: ScheduleRun
  /** The state until it is started. */
  readonly before: ScheduleState
  /** The state after it. */
  readonly after: ScheduleState
}

/** What to do now. Pure. */
function toStep(state: ScheduleState, body: ScheduleBody, now: number, times: DueTimes): Step {
  const manualAt = state.manualAt ?? (now < state.wakeAt ? now : undefined)
  const waiting = { ...state, manualAt }
  if (state.runs.some(({ outcome }) => outcome === 'running')) return { before: waiting, after: waiting }
  if (manualAt !== undefined)
    return {
      fire: { dueAt: manualAt, outcome: 'running', isManual: true },
      before: waiting,
      after: { ...state, manualAt: undefined },
    }
  if (state.due === undefined) return { before: state, after: state }
  const { fire, missed, due } = planFiring(state.due, now, body.misfire, times)
  const runs = missed ? withRun(state.runs, toMissed(missed)) : state.runs
  const after = { ...state, runs, due }
  if (fire === undefined) return { before: after, after }
  return { fire: { dueAt: fire, outcome: 'running' }, before: { ...state, runs, due: fire }, after }
}

const toMissed = ({ from, until }: { readonly from: number; readonly until?: number }): ScheduleRun => ({
  dueAt: from,
  outcome: 'missed',
  ...(until !== undefined && { missedUntil: until }),
})

/** Starts a turn. Answers with the state after it. */
async function startRun(
  run: ScheduleRun,
  { before, after }: Step,
  parts: StartParts,
): Promise<ScheduleState> {
  const { job, body, unattended, now } = parts
  const { prompt, limits, threadId } = body
  const request = {
    userId: job.userId,
    origin: 'schedule',
    title: job.title,
    prompt,
    messageId: toMessageId(job.id, run),
    limits: { usd: limits.usd, wallClockMs: limits.minutes * MINUTE_MS },
  } as const
  let started = await unattended.run({ ...request, ...(threadId !== undefined && { threadId }) })
  // The person deleted the thread: the run gets one of its own.
  if (started.type === 'gone') started = await unattended.run(request)
  if (started.type !== 'started') return before
  const { runId } = started
  const begun = {
    ...run,
    startedAt: now(),
    threadId: started.threadId,
    ...(runId !== undefined && { runId }),
  }
  return { ...after, runs: withRun(after.runs, begun) }
}

/** When the handler runs again. Without a due time and without an open run, all is done. */
function toResult(state: ScheduleState, now: number): JobResult {
  const watch = Math.min(...state.runs.map((run) => toWatchTime(run, now)))
  // What is due and was not started waits for a thread, or for the turn before.
  const due = state.due === undefined ? Infinity : state.due > now ? state.due : now + BUSY_MS
  const retry = state.manualAt === undefined ? Infinity : now + BUSY_MS
  const next = Math.ceil(Math.min(watch, due, retry))
  if (next === Infinity) return { done: true, state: toState(state) }
  return { next, state: toState({ ...state, wakeAt: next }) }
}

/** When to look again at how a run stands. */
function toWatchTime({ outcome, startedAt }: ScheduleRun, now: number): number {
  if (startedAt === undefined) return Infinity
  const age = now - startedAt
  if (outcome === 'running') return now + Math.min(Math.max(age / 4, 2_000), MINUTE_MS)
  if (outcome === 'waits') return now + Math.min(Math.max(age / 2, MINUTE_MS), MAX_WATCH_MS)
  return Infinity
}

/** Tells of runs that have failed since they were looked at last. After a kill the same is told again, which counts once. */
async function tellFailed(
  { id, userId, title }: JobRow,
  before: readonly ScheduleRun[],
  after: readonly ScheduleRun[],
  tell: Tell,
): Promise<void> {
  for (const [index, run] of after.entries()) {
    if (run.outcome !== 'failed' || before[index]?.outcome === 'failed') continue
    const { startedAt: at = run.dueAt, threadId } = run
    const told = { id: toMessageId(id, run), kind: 'schedule-failed', name: title, at } as const
    await tell(userId, { ...told, ...(threadId !== undefined && { threadId }) })
  }
}

/** Why the last run failed, unless it was known before. */
function findNewFailure(before: readonly ScheduleRun[], after: readonly ScheduleRun[]): JobResult['failure'] {
  return after.find((run, index) => run.failure && before[index]?.outcome !== 'failed')?.failure
}
