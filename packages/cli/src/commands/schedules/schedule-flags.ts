import type { MisfireRule, SchedulePatch, SchedulePost, ThreadId } from '@capstan/protocol'
import { MISFIRE_RULES } from '@capstan/protocol'
import { UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

export const SCHEDULE_OPTIONS = {
  ...STORE_OPTIONS,
  when: { type: 'string' },
  prompt: { type: 'string' },
  zone: { type: 'string' },
  title: { type: 'string' },
  misfire: { type: 'string' },
  usd: { type: 'string' },
  minutes: { type: 'string' },
  thread: { type: 'string' },
} as const

export interface Flags {
  readonly home?: string
  readonly json?: boolean
  readonly when?: string
  readonly prompt?: string
  readonly zone?: string
  readonly title?: string
  readonly misfire?: string
  readonly usd?: string
  readonly minutes?: string
  readonly thread?: string
}

/** The zone that was given, else the one of this machine. */
export const zoneOf = ({ zone }: Flags): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** What "add" adds. */
export function toPost(when: string, flags: Flags): SchedulePost {
  const { prompt } = flags
  if (prompt === undefined || prompt.trim() === '')
    throw new UsageError('Say what to do: --prompt "Summarise my mail."')
  const { threadId, ...rest } = toShared(flags)
  return {
    limits: {},
    misfire: 'once',
    ...rest,
    prompt,
    when,
    zone: zoneOf(flags),
    ...(threadId && { threadId }),
  }
}

/** What "edit" changes. */
export function toPatch(flags: Flags): SchedulePatch {
  const { prompt, when, zone } = flags
  if (prompt?.trim() === '') throw new UsageError('Say what to do: --prompt "Summarise my mail."')
  const patch = {
    ...toShared(flags),
    ...(prompt !== undefined && { prompt }),
    ...(when !== undefined && { when }),
    ...(zone !== undefined && { zone }),
  }
  if (Object.keys(patch).length === 0)
    throw new UsageError(
      'Say what to change, such as --when "every day at 9". See "capstan schedules --help".',
    )
  return patch
}

/** What both take. */
function toShared({
  title,
  misfire,
  usd,
  minutes,
  thread,
}: Flags): Pick<SchedulePatch, 'title' | 'misfire' | 'limits' | 'threadId'> {
  const limits = { ...toNumber('usd', usd, 1_000), ...toNumber('minutes', minutes, 600) }
  return {
    ...(title !== undefined && { title }),
    ...(misfire !== undefined && { misfire: toMisfire(misfire) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(thread !== undefined && { threadId: thread === 'own' ? null : (thread as ThreadId) }),
  }
}

function toNumber(name: 'usd' | 'minutes', given: string | undefined, most: number): object {
  if (given === undefined) return {}
  const value = Number(given)
  const isWhole = name === 'usd' || Number.isInteger(value)
  if (!(value > 0 && value <= most && isWhole))
    throw new UsageError(`--${name} must be a number up to ${most}.`)
  return { [name]: value }
}

function toMisfire(given: string): MisfireRule {
  const rule = MISFIRE_RULES.find((known) => known === given)
  if (!rule) throw new UsageError(`There is no rule "${given}". There are: ${MISFIRE_RULES.join(', ')}.`)
  return rule
}
