import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'
import type { MisfireRule, ScheduleLimits, ScheduleRun, ScheduleTiming, ThreadId } from '@capstan/protocol'
import type { DueTimes } from './timing/due-times.ts'
import { readCron } from './timing/due-times.ts'

export const SCHEDULE_KIND = 'schedule'

/** What a person has said about a schedule. The body of its job. */
export interface ScheduleBody extends ScheduleTiming {
  readonly prompt: string
  readonly misfire: MisfireRule
  readonly limits: ScheduleLimits
  readonly threadId?: ThreadId
  readonly isUntrusted?: true
  /** Due times count from here on. It is set anew when the times change, and after a pause. */
  readonly since: number
  /** When a person last said "run now". */
  readonly askedAt?: number
}

/** What the handler keeps. */
export interface ScheduleState {
  /** Of the body that it belongs to. */
  readonly since: number
  /** The first due time that is not settled. Undefined: there is none. */
  readonly due?: number | undefined
  /** The due time whose turn was being started. Its node may have been killed before or after that. */
  readonly firing?: number | undefined
  /** When the handler wants to run next. Woken earlier, a person said "run now". */
  readonly wakeAt: number
  /** The `askedAt` of the body that was seen last. */
  readonly askedAt?: number | undefined
  /** A run that a person asked for, and that is not started yet. */
  readonly manualAt?: number | undefined
  /** Newest first. */
  readonly runs: readonly ScheduleRun[]
}

const MAX_RUNS = 30

// What is stored was written by these functions.
export const bodyOf = ({ body }: Pick<JobRow, 'body'>): ScheduleBody => body as unknown as ScheduleBody
export const toBody = (body: ScheduleBody): JsonValue => body as unknown as JsonValue
export const toState = (state: ScheduleState): JsonValue => JSON.parse(JSON.stringify(state)) as JsonValue
export const runsOf = ({ state }: Pick<JobRow, 'state'>): readonly ScheduleRun[] =>
  (state as unknown as ScheduleState | null)?.runs ?? []

/** The times of a stored schedule. */
export const timesOf = ({ cron, zone }: ScheduleTiming): DueTimes => readCron(cron, zone)

/** The state of a job. One of other times than those of now has only what was done left. */
export function stateOf(job: Pick<JobRow, 'body' | 'state'>, times: DueTimes): ScheduleState {
  const { since } = bodyOf(job)
  const stored = job.state as unknown as ScheduleState | null
  if (stored?.since === since) return stored
  const due = times.after(since)
  return { since, due, wakeAt: due ?? since, askedAt: stored?.askedAt, runs: stored?.runs ?? [] }
}

export const withRun = (runs: readonly ScheduleRun[], run: ScheduleRun): readonly ScheduleRun[] =>
  [run, ...runs].slice(0, MAX_RUNS)

export const isOpen = ({ outcome }: ScheduleRun): boolean => outcome === 'running' || outcome === 'waits'

/** The same for the same due time: a turn that is started twice under it runs once. */
export const toMessageId = (scheduleId: string, { dueAt, isManual }: ScheduleRun): string =>
  `${scheduleId} ${isManual ? 'now' : 'due'} ${dueAt}`
