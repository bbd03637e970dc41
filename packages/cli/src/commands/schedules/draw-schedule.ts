import type { ScheduleRow, ScheduleRun } from '@capstan/protocol'

const SHOWN_RUNS = 10

/** A time as the clocks of a zone show it. */
export const toLocalTime = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)

/** A schedule with its next runs and what became of the last ones, as lines. */
export function drawSchedule(row: ScheduleRow): readonly string[] {
  const { zone, limits } = row
  return [
    `${row.title} (${row.id})`,
    `${row.status}: ${row.when} (${row.cron}) in ${zone}`,
    `Prompt: ${row.prompt}`,
    ...(row.isUntrusted ? ['It was proposed in a conversation that had read text of others.'] : []),
    `Missed times: ${row.misfire}. A run may use $${limits.usd} and ${limits.minutes} minutes.`,
    ...(row.threadId === undefined ? [] : [`All runs in ${row.threadId}`]),
    ...(row.nextRuns.length === 0 ? [] : ['Next runs:']),
    ...row.nextRuns.map((at) => `- ${toLocalTime(at, zone)}`),
    ...(row.runs.length === 0 ? [] : ['Last runs:']),
    ...row.runs.slice(0, SHOWN_RUNS).flatMap((run) => drawRun(run, zone)),
  ]
}

function drawRun(run: ScheduleRun, zone: string): readonly string[] {
  const until = run.missedUntil === undefined ? '' : ` until ${toLocalTime(run.missedUntil, zone)}`
  const where = run.threadId === undefined ? '' : ` in ${run.threadId}`
  const manual = run.isManual ? ' (run by hand)' : ''
  return [
    `- ${toLocalTime(run.dueAt, zone)}${until}: ${run.outcome}${manual}${where}`,
    ...(run.failure ? [`  ${run.failure.cause} ${run.failure.next}`] : []),
  ]
}
