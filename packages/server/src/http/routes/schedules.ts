import type { ScheduleList, SchedulePatch, SchedulePost, SchedulePreview } from '@capstan/protocol'
import type { ScheduleLimits, ScheduleRow, ScheduleRun } from '@capstan/protocol'
import {
  JOB_STATUSES,
  MAX_SCHEDULE_PROMPT_CHARS,
  MAX_SCHEDULE_TITLE_CHARS,
  MAX_WHEN_CHARS,
  MISFIRE_RULES,
  SCHEDULE_OUTCOMES,
} from '@capstan/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../api-error.ts'
import type { Route } from '../route.ts'
import { defineRoute, NOTHING } from '../route.ts'
import { anyId, failure, milliseconds, runId, threadId } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'

const when = z.string().min(1).max(MAX_WHEN_CHARS)
const zone = z.string().min(1).max(64)
const prompt = z.string().min(1).max(MAX_SCHEDULE_PROMPT_CHARS)
const title = z.string().max(MAX_SCHEDULE_TITLE_CHARS)
const misfire = z.enum(MISFIRE_RULES)
const usd = z.number().min(0.01).max(1_000)
const minutes = z.number().int().min(1).max(600)
const limits = describes<ScheduleLimits>()(z.strictObject({ usd, minutes }))
const someLimits = z.strictObject({ usd: usd.optional(), minutes: minutes.optional() })

const scheduleRun = describes<ScheduleRun>()(
  z.strictObject({
    dueAt: milliseconds,
    outcome: z.enum(SCHEDULE_OUTCOMES),
    isManual: z.literal(true).optional(),
    missedUntil: milliseconds.optional(),
    startedAt: milliseconds.optional(),
    threadId: threadId.optional(),
    runId: runId.optional(),
    text: z.string().optional(),
    failure: failure.optional(),
  }),
).meta({ id: 'ScheduleRun' })
const schedule = describes<ScheduleRow>()(
  z.strictObject({
    id: z.string(),
    title: z.string(),
    prompt: z.string(),
    when: z.string(),
    cron: z.string(),
    zone: z.string(),
    misfire,
    limits,
    threadId: threadId.optional(),
    isUntrusted: z.literal(true).optional(),
    status: z.enum(JOB_STATUSES),
    nextRuns: z.array(milliseconds),
    runs: z.array(scheduleRun),
    createdAt: milliseconds,
  }),
).meta({ id: 'Schedule' })
const scheduleList = describes<ScheduleList>()(z.strictObject({ schedules: z.array(schedule) }))
const preview = describes<SchedulePreview>()(
  z.strictObject({ when: z.string(), cron: z.string(), zone: z.string(), nextRuns: z.array(milliseconds) }),
)
const post = describes<SchedulePost>()(
  z.strictObject({
    prompt,
    when,
    zone: zone.optional(),
    title: title.optional(),
    misfire: misfire.optional(),
    limits: someLimits.optional(),
    threadId: threadId.optional(),
  }),
)
const patch = describes<SchedulePatch>()(
  z.strictObject({
    prompt: prompt.optional(),
    when: when.optional(),
    zone: zone.optional(),
    title: title.optional(),
    misfire: misfire.optional(),
    limits: someLimits.optional(),
    threadId: threadId.nullable().optional(),
  }),
)

const listSchedules = defineRoute({
  method: 'GET',
  path: '/api/schedules',
  summary: 'The schedules, with their next runs and what became of the last ones.',
  rights: 'user',
  answer: scheduleList,
  handle: async ({ assistant, caller }) => ({
    schedules: [...(await assistant.schedules.list(caller.userId))],
  }),
})

const addSchedule = defineRoute({
  method: 'POST',
  path: '/api/schedules',
  summary: 'Adds a schedule. "when" is plain English, or a cron line with five fields.',
  rights: 'user',
  body: post,
  example: { prompt: 'Summarise my mail.', when: 'every weekday at 8', zone: 'Europe/Berlin' },
  answer: schedule,
  async handle({ assistant, caller, body, threads }) {
    await checkThread(threads, body.threadId)
    return assistant.schedules.add(caller.userId, body)
  },
})

const previewSchedule = defineRoute({
  method: 'POST',
  path: '/api/schedules/preview',
  summary: 'When words or a cron line would run: the next five times. Nothing is stored.',
  rights: 'user',
  body: z.strictObject({ when, zone: zone.optional() }),
  example: { when: 'every weekday at 8', zone: 'Europe/Berlin' },
  answer: preview,
  handle: ({ assistant, body }) => assistant.schedules.preview(body),
})

const readSchedule = defineRoute({
  method: 'GET',
  path: '/api/schedules/:scheduleId',
  summary: 'One schedule.',
  rights: 'user',
  params: { scheduleId: anyId },
  answer: schedule,
  async handle({ assistant, caller, params }) {
    return (await assistant.schedules.get(caller.userId, params.scheduleId)) ?? refuseUnknown()
  },
})

const changeSchedule = defineRoute({
  method: 'PATCH',
  path: '/api/schedules/:scheduleId',
  summary: 'Changes a schedule. New times count from now on.',
  rights: 'user',
  params: { scheduleId: anyId },
  body: patch,
  example: { when: 'every day at 9' },
  answer: schedule,
  async handle({ assistant, caller, params, body, threads }) {
    await checkThread(threads, body.threadId ?? undefined)
    return (await assistant.schedules.change(caller.userId, params.scheduleId, body)) ?? refuseUnknown()
  },
})

const removeSchedule = defineRoute({
  method: 'DELETE',
  path: '/api/schedules/:scheduleId',
  summary: 'Deletes a schedule. The threads of its runs stay.',
  rights: 'user',
  params: { scheduleId: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.schedules.remove(caller.userId, params.scheduleId))) throw notFound()
  },
})

const defineAction = (name: string, action: 'pause' | 'resume' | 'runNow', summary: string): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/schedules/:scheduleId/${name}`,
    summary,
    rights: 'user',
    params: { scheduleId: anyId },
    answer: schedule,
    async handle({ assistant, caller, params }) {
      const receipt = await assistant.schedules[action](caller.userId, params.scheduleId)
      if (!receipt) throw notFound()
      if (!receipt.changed)
        throw new ApiError('conflict', `This is not possible: the schedule is ${receipt.schedule.status}.`)
      return receipt.schedule
    },
  })

/** A thread of somebody else is answered like an unknown one. */
async function checkThread(
  threads: { get(id: string): Promise<unknown> },
  id: string | undefined,
): Promise<void> {
  if (id !== undefined && !(await threads.get(id))) throw notFound()
}

function refuseUnknown(): never {
  throw notFound()
}

export const SCHEDULE_ROUTES = [
  listSchedules,
  addSchedule,
  previewSchedule,
  readSchedule,
  changeSchedule,
  removeSchedule,
  defineAction('pause', 'pause', 'Pauses a schedule. A turn that runs is not stopped.'),
  defineAction('resume', 'resume', 'Lets a schedule go on. Due times during the pause do not count.'),
  defineAction('run-now', 'runNow', 'Runs a schedule once, now. Its next due time stays.'),
]
