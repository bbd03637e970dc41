import type { Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { labelled } from './labelled.ts'

/** Tells the time of the run's clock, in the zone asked for, else in `timeZone`, else in the machine's own. */
export function createClockTool({ timeZone = machineZone() }: { readonly timeZone?: string } = {}): Tool {
  return defineTool({
    name: 'clock',
    description: 'The date, weekday and time of now in a time zone, with its offset from UTC.',
    effect: 'read',
    returns: [],
    destinations: [],
    input: {
      type: 'object',
      properties: {
        time_zone: {
          type: 'string',
          description: `An IANA name such as Europe/Berlin or Asia/Kolkata. Default: ${timeZone}.`,
        },
      },
      additionalProperties: false,
    },
    label: labelled('Look at the clock', 'time_zone', timeZone),
    run({ time_zone }, { run }) {
      const asked = typeof time_zone === 'string' && time_zone.trim() !== '' ? time_zone.trim() : timeZone
      const format = toFormat(asked)
      if (!format) {
        return fail(
          `There is no time zone "${asked}". Use an IANA name: an area and a city, such as America/New_York, or UTC.`,
          { errorCode: 'invalid_arguments' },
        )
      }
      return succeed(describeTime(format, run.clock.now()))
    },
  })
}

const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function toFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
  } catch {
    return undefined
  }
}

function describeTime(format: Intl.DateTimeFormat, now: number): string {
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  // "GMT" alone is how the format says no offset.
  const offset = part['timeZoneName']!.slice('GMT'.length) || '+00:00'
  const date = `${part['year']}-${part['month']}-${part['day']}`
  const time = `${part['hour']}:${part['minute']}:${part['second']}`
  return `${part['weekday']}, ${date}T${time}${offset} (${format.resolvedOptions().timeZone}, UTC${offset})`
}
