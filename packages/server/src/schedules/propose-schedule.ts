import { hash } from 'node:crypto'
import type { Tool } from '@capstan/harness'
import { defineTool, fail, succeed } from '@capstan/harness'
import { sanitizeLine } from '@capstan/harness/connectors'
import { MAX_SCHEDULE_PROMPT_CHARS, MAX_WHEN_CHARS } from '@capstan/protocol'
import { z } from 'zod'
import type { Schedules } from './schedules.ts'

/**
 * A tool that adds a schedule once the person has confirmed it. It administers: the person is asked each time, also in the
 * mode `full` and in a turn without a person, and no grant covers it. What cannot run is refused before anybody is asked.
 */
export function createProposeScheduleTool(schedules: Schedules, userId: string): Tool {
  const input = z
    .strictObject({
      prompt: z.string().min(1).max(MAX_SCHEDULE_PROMPT_CHARS).describe('What to do each time.'),
      when: z
        .string()
        .min(1)
        .max(MAX_WHEN_CHARS)
        .describe('"every weekday at 8", or a cron line with 5 fields.'),
      zone: z.string().max(64).optional().describe("The user's IANA time zone."),
      title: z.string().max(100).optional(),
    })
    .superRefine(({ when, zone }, context) => {
      try {
        schedules.preview({ when, zone })
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      }
    })
  return defineTool({
    name: 'propose_schedule',
    description:
      'Propose to run a prompt again and again without the user. The user is shown it and decides.',
    input,
    effect: 'admin',
    honoursKey: true,
    returns: [],
    destinations: ['prompt'],
    label: ({ title, when }) => ({
      label: 'Add a schedule',
      detail: sanitizeLine([title, when].filter((part) => typeof part === 'string').join(': '), 200),
    }),
    async run(args, { run, idempotencyKey }) {
      const { prompt, when, zone, title } = args
      const post = {
        prompt,
        when,
        ...(zone !== undefined && { zone }),
        ...(title !== undefined && { title }),
      }
      // The same for the same call, so that one that is repeated after a crash adds it once.
      const id = `schedule_${hash('sha256', `${run.runId}/${idempotencyKey}`).slice(0, 12)}`
      try {
        const isUntrusted = run.flow.hasReadUntrusted
        const { nextRuns, zone: chosen } = await schedules.add(userId, post, { id, isUntrusted })
        const times = nextRuns.slice(0, 3).map((at) => toTime(at, chosen))
        return succeed(
          `Added. Next runs (${chosen}): ${times.join(', ')}. It is under Automations, Schedules.`,
        )
      } catch (error) {
        return fail(error instanceof Error ? error.message : String(error), { errorCode: 'EINVAL' })
      }
    },
  })
}

const toTime = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(at)
