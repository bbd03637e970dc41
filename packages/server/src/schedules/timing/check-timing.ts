import type { ScheduleTiming } from '@capstan/protocol'
import { fieldError } from '../../settings/field-error.ts'
import type { DueTimes } from './due-times.ts'
import { readCron } from './due-times.ts'
import { parseWords } from './parse-words.ts'

const MIN_INTERVAL_MS = 15 * 60_000
/** So many due times are compared. */
const COMPARED = 100
const PROBLEMS = { unclear: 'when-unclear', 'needs-time': 'when-no-time', mixed: 'when-mixed' } as const
/** Five fields, or a nickname such as "@daily". */
const CRON = /^(?:@\w+|\S+(?:\s+\S+){4})$/
const CRON_CHARS = /^[\d*/,\-?#+@\sA-Za-z]+$/

/** The zone of this machine. */
export const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Understands when a schedule runs: words or a cron line, in a time zone. Throws a `ConfigurationError` that names the field
 * when it is unclear, too often, or never comes.
 */
export function checkTiming(
  { when, zone }: Pick<ScheduleTiming, 'when' | 'zone'>,
  now: number,
): ScheduleTiming & { readonly times: DueTimes } {
  const checkedZone = checkZone(zone)
  const given = when.trim()
  const cron = toCron(given)
  checkInterval(cron, now)
  const times = readCron(cron, checkedZone)
  if (times.after(now) === undefined) throw fieldError('when', { kind: 'when-never' })
  return { when: given, cron, zone: checkedZone, times }
}

function toCron(given: string): string {
  if (isCron(given)) return given.replaceAll(/\s+/g, ' ')
  const parsed = parseWords(given)
  if (parsed.type !== 'cron') throw fieldError('when', { kind: PROBLEMS[parsed.type] })
  return parsed.cron
}

function isCron(given: string): boolean {
  if (!CRON.test(given) || !CRON_CHARS.test(given)) return false
  try {
    readCron(given, 'UTC')
    return true
  } catch {
    return false // "every day at 8 pm" has five words, too
  }
}

/** Compared in UTC, so that a change of the clocks does not make it shorter. */
function checkInterval(cron: string, now: number): void {
  let found: readonly number[]
  try {
    found = readCron(cron, 'UTC').next(now, COMPARED)
  } catch {
    throw fieldError('when', { kind: 'when-unclear' }) // such as the 32nd of a month
  }
  if (found.some((at, index) => index > 0 && at - found[index - 1]! < MIN_INTERVAL_MS))
    throw fieldError('when', { kind: 'when-often' })
}

function checkZone(zone: string): string {
  const given = zone.trim()
  try {
    // An offset such as "+02:00" is no zone: it knows nothing of daylight saving time.
    if (/^[+-]/.test(given)) throw new RangeError('an offset')
    new Intl.DateTimeFormat('en', { timeZone: given }).format()
    return given
  } catch {
    throw fieldError('zone', { kind: 'bad-zone' })
  }
}
