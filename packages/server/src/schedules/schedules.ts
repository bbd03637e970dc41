import { randomBytes } from 'node:crypto'
import { sanitizeLine, sanitizeText } from '@capstan/harness/connectors'
import type { JobRow } from '@capstan/harness/stores'
import type {
  JobStatus,
  ScheduleLimits,
  SchedulePatch,
  SchedulePost,
  SchedulePreview,
  ScheduleRow,
} from '@capstan/protocol'
import { MAX_SCHEDULE_PROMPT_CHARS, MAX_SCHEDULE_TITLE_CHARS } from '@capstan/protocol'
import type { Jobs } from '../jobs/jobs.ts'
import { fieldError } from '../settings/field-error.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { readRuns } from './read-runs.ts'
import type { ScheduleBody } from './schedule-job.ts'
import { bodyOf, runsOf, SCHEDULE_KIND, stateOf, timesOf, toBody } from './schedule-job.ts'
import { checkTiming, machineZone } from './timing/check-timing.ts'

const MAX_SCHEDULES = 100
const SHOWN_RUNS = 5
const DEFAULT_LIMITS: ScheduleLimits = { usd: 1, minutes: 30 }

/** Prompts that are run again and again. Nobody reaches those of another user. */
export interface Schedules {
  /** Those added first stand first. */
  list(userId: string): Promise<readonly ScheduleRow[]>
  get(userId: string, id: string): Promise<ScheduleRow | undefined>
  /** When words or a cron line would run. Throws a `ConfigurationError` that names the field, like `add` and `change`. */
  preview(asked: { readonly when: string; readonly zone?: string | undefined }): SchedulePreview
  /** With an id that the user has, it changes nothing and answers with that one. */
  add(
    userId: string,
    post: SchedulePost,
    more?: { readonly id?: string; readonly isUntrusted?: boolean },
  ): Promise<ScheduleRow>
  change(userId: string, id: string, patch: SchedulePatch): Promise<ScheduleRow | undefined>
  /** For one that waits or runs. A turn that runs is not stopped. */
  pause(userId: string, id: string): Promise<ScheduleReceipt>
  /** For one that is not waiting. Due times during the pause were not missed: they do not count. */
  resume(userId: string, id: string): Promise<ScheduleReceipt>
  /** For one that waits. Its next due time stays. */
  runNow(userId: string, id: string): Promise<ScheduleReceipt>
  remove(userId: string, id: string): Promise<boolean>
}

type ScheduleReceipt = { readonly schedule: ScheduleRow; readonly changed: boolean } | undefined

export function createSchedules({
  jobs,
  outcomeOf,
  now,
}: {
  readonly jobs: Pick<Jobs, 'add' | 'get' | 'list' | 'change' | 'remove'>
  readonly outcomeOf: Unattended['outcomeOf']
  readonly now: () => number
}): Schedules {
  const toShown = async (job: JobRow): Promise<ScheduleRow> =>
    toRow(job, await readRuns(job, runsOf(job), outcomeOf), now())
  async function find(userId: string, id: string): Promise<JobRow | undefined> {
    const job = await jobs.get(userId, id)
    return job?.kind === SCHEDULE_KIND ? job : undefined
  }
  const listJobs = (userId: string) => jobs.list(userId, { kind: SCHEDULE_KIND, limit: MAX_SCHEDULES + 1 })
  const act =
    (from: readonly JobStatus[], changeOf: (job: JobRow) => Parameters<Jobs['change']>[2]) =>
    async (userId: string, id: string): Promise<ScheduleReceipt> => {
      const job = await find(userId, id)
      if (!job) return undefined
      const changed = from.includes(job.status) && (await jobs.change(userId, id, changeOf(job), from))
      return { schedule: await toShown(changed || job), changed: Boolean(changed) }
    }
  return {
    list: async (userId) => Promise.all((await listJobs(userId)).toReversed().map(toShown)),
    async get(userId, id) {
      const job = await find(userId, id)
      return job && toShown(job)
    },
    preview({ when, zone = machineZone() }) {
      const { times, ...timing } = checkTiming({ when, zone }, now())
      return { ...timing, nextRuns: times.next(now(), SHOWN_RUNS) }
    },
    async add(userId, post, { id = `schedule_${randomBytes(6).toString('hex')}`, isUntrusted } = {}) {
      const checked = checkPost(post, now(), isUntrusted)
      const known = await find(userId, id)
      if (known) return toShown(known)
      if ((await listJobs(userId)).length >= MAX_SCHEDULES)
        throw fieldError('schedules', { kind: 'too-many', most: MAX_SCHEDULES })
      const { job } = await jobs.add({ id, userId, kind: SCHEDULE_KIND, key: id, ...checked })
      return toShown(job)
    },
    async change(userId, id, patch) {
      const job = await find(userId, id)
      if (!job) return undefined
      const changed = await jobs.change(userId, id, toChange(job, patch, now()))
      return changed && toShown(changed)
    },
    pause: act(['waiting', 'running'], () => ({ status: 'paused' })),
    resume: act(['paused', 'failed', 'cancelled', 'done'], (job) => {
      const body = { ...bodyOf(job), since: now() }
      const nextAt = timesOf(body).after(body.since)
      return { status: 'waiting', body: toBody(body), ...(nextAt !== undefined && { nextAt }) }
    }),
    runNow: act(['waiting'], (job) => {
      const body = { ...bodyOf(job), askedAt: now() }
      return { status: 'waiting', body: toBody(body), nextAt: now() }
    }),
    remove: async (userId, id) => (await find(userId, id)) !== undefined && jobs.remove(userId, id),
  }
}

function checkPost(post: SchedulePost, now: number, isUntrusted = false) {
  const { when, zone = machineZone(), misfire = 'once', limits, threadId } = post
  const { times, ...timing } = checkTiming({ when, zone }, now)
  const prompt = checkPrompt(post.prompt)
  const body: ScheduleBody = {
    ...timing,
    prompt,
    misfire,
    limits: { ...DEFAULT_LIMITS, ...limits },
    ...(threadId !== undefined && { threadId }),
    ...(isUntrusted && { isUntrusted }),
    since: now,
  }
  return { title: toTitle(post.title, prompt), body: toBody(body), nextAt: times.after(now)! }
}

/** The change of the job. New times count from now on. */
function toChange(job: JobRow, patch: SchedulePatch, now: number): Parameters<Jobs['change']>[2] {
  const { threadId: _thread, ...before } = bodyOf(job)
  const { when = before.when, zone = before.zone, threadId = bodyOf(job).threadId } = patch
  const prompt = patch.prompt === undefined ? before.prompt : checkPrompt(patch.prompt)
  const isOtherTime = when.trim() !== before.when || zone !== before.zone
  const checked = isOtherTime ? checkTiming({ when, zone }, now) : undefined
  const body: ScheduleBody = {
    ...before,
    prompt,
    misfire: patch.misfire ?? before.misfire,
    limits: { ...before.limits, ...patch.limits },
    ...(threadId && { threadId }),
    ...(checked && { when: checked.when, cron: checked.cron, zone: checked.zone, since: now }),
  }
  return {
    title: patch.title === undefined ? job.title : toTitle(patch.title, prompt),
    body: toBody(body),
    ...(checked && { nextAt: checked.times.after(now)! }),
  }
}

function checkPrompt(given: string): string {
  const prompt = sanitizeText(given, MAX_SCHEDULE_PROMPT_CHARS).trim()
  if (prompt === '' || given.length > MAX_SCHEDULE_PROMPT_CHARS)
    throw fieldError('prompt', { kind: 'length', least: 1, most: MAX_SCHEDULE_PROMPT_CHARS })
  return prompt
}

const TITLE_FROM_PROMPT_CHARS = 60

const toTitle = (title: string | undefined, prompt: string): string =>
  sanitizeLine(title ?? '', MAX_SCHEDULE_TITLE_CHARS) || sanitizeLine(prompt, TITLE_FROM_PROMPT_CHARS)

/** What screens show of a job. */
function toRow(job: JobRow, runs: ScheduleRow['runs'], now: number): ScheduleRow {
  const { since: _since, askedAt: _asked, ...body } = bodyOf(job)
  const { id, title, status, createdAt } = job
  return { id, title, ...body, status, nextRuns: toNextRuns(job, now), runs, createdAt }
}

/** A due time that is not settled yet stands first, although it is over. */
function toNextRuns(job: JobRow, now: number): readonly number[] {
  if (job.status !== 'waiting' && job.status !== 'running') return []
  const times = timesOf(bodyOf(job))
  const { due } = stateOf(job, times)
  if (due === undefined) return []
  return [due, ...times.next(Math.max(due, now), SHOWN_RUNS - 1)]
}
