import type { Failure } from './failure.ts'
import type { RunId, ThreadId } from './ids.ts'
import type { JobStatus } from './job.ts'

/** What becomes of due times that were missed because no server was running. */
export const MISFIRE_RULES = ['skip', 'once', 'all'] as const

/** `skip`: nothing. `once`: the last of them runs late, up to 12 hours. `all`: each of the last day runs late, at most 10. */
export type MisfireRule = (typeof MISFIRE_RULES)[number]

/** The longest prompt of a schedule, in characters. */
export const MAX_SCHEDULE_PROMPT_CHARS = 8_000
export const MAX_SCHEDULE_TITLE_CHARS = 120
/** The longest text that says when. */
export const MAX_WHEN_CHARS = 200

/** When a schedule runs. */
export interface ScheduleTiming {
  /** As it was given: plain English words or a cron line. */
  readonly when: string
  /** Minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  /** An IANA name, such as `Europe/Berlin`. */
  readonly zone: string
}

/** What one run may use, sub-agents included. */
export interface ScheduleLimits {
  readonly usd: number
  readonly minutes: number
}

/**
 * How a run stands. `waits`: for a person. `capped`: it reached a limit, and can be continued. `missed`: it was not started.
 * `gone`: its thread was deleted.
 */
export const SCHEDULE_OUTCOMES = ['running', 'waits', 'done', 'capped', 'failed', 'missed', 'gone'] as const
export type ScheduleOutcome = (typeof SCHEDULE_OUTCOMES)[number]

/** One due time of a schedule, and what became of it. */
export interface ScheduleRun {
  readonly dueAt: number
  readonly outcome: ScheduleOutcome
  /** A person started it. */
  readonly isManual?: true
  /** For `missed`: the last of the due times that were missed together. */
  readonly missedUntil?: number
  readonly startedAt?: number
  readonly threadId?: ThreadId
  readonly runId?: RunId
  /** The beginning of the answer. Text of a model. */
  readonly text?: string
  readonly failure?: Failure
}

/** A prompt that is run again and again. */
export interface ScheduleRow extends ScheduleTiming {
  readonly id: string
  readonly title: string
  readonly prompt: string
  readonly misfire: MisfireRule
  readonly limits: ScheduleLimits
  /** All runs are in this thread. Absent: each has a thread of its own. */
  readonly threadId?: ThreadId
  /** It was proposed in a conversation that had read text of others. */
  readonly isUntrusted?: true
  readonly status: JobStatus
  /** The next due times, at most five. Empty when it is not going to run. */
  readonly nextRuns: readonly number[]
  /** Newest first. */
  readonly runs: readonly ScheduleRun[]
  readonly createdAt: number
}

export interface ScheduleList {
  readonly schedules: readonly ScheduleRow[]
}

/** A schedule to be added. */
export interface SchedulePost {
  readonly prompt: string
  /** Plain English words, or a cron line with five fields. */
  readonly when: string
  /** Default: the zone of the server. */
  readonly zone?: string
  /** Default: the beginning of the prompt. */
  readonly title?: string
  /** Default `once`. */
  readonly misfire?: MisfireRule
  readonly limits?: Partial<ScheduleLimits>
  readonly threadId?: ThreadId
}

/** What changes. `threadId: null`: a thread for each run from now on. */
export interface SchedulePatch {
  readonly prompt?: string
  readonly when?: string
  readonly zone?: string
  readonly title?: string
  readonly misfire?: MisfireRule
  readonly limits?: Partial<ScheduleLimits>
  readonly threadId?: ThreadId | null
}

/** When something would run. */
export interface SchedulePreview extends ScheduleTiming {
  readonly nextRuns: readonly number[]
}
