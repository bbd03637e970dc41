import type {
  QuietHours,
  ThreadId,
  TriggerBudget,
  TriggerSource,
  TriggerSourceFields,
  TriggerSourceKind,
} from '@capstan/protocol'
import { TRIGGER_SOURCE_KINDS } from '@capstan/protocol'
import { UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

/** The options of `capstan triggers`, for all actions together. */
export const TRIGGER_OPTIONS = {
  ...STORE_OPTIONS,
  source: { type: 'string' },
  decision: { type: 'string' },
  after: { type: 'string' },
  limit: { type: 'string' },
  right: { type: 'string' },
  note: { type: 'string' },
  name: { type: 'string' },
  rule: { type: 'string' },
  thread: { type: 'string' },
  usd: { type: 'string' },
  runs: { type: 'string' },
  quiet: { type: 'string' },
  zone: { type: 'string' },
  connection: { type: 'string' },
  'secret-stdin': { type: 'boolean' },
} as const

/** The parsed options of `capstan triggers`. */
export type TriggerFlags = {
  readonly [Name in Exclude<keyof typeof TRIGGER_OPTIONS, 'json' | 'secret-stdin'>]?: string
} & { readonly json?: boolean; readonly 'secret-stdin'?: boolean }

const DEFAULT_BUDGET: TriggerBudget = { usd: 2, runs: 20 }

/** What the options say about a source. `before`: the source that is changed. */
export function toFields(flags: TriggerFlags, before?: TriggerSource): Partial<TriggerSourceFields> {
  const { name, rule, thread, quiet } = flags
  return {
    ...(name !== undefined && { name }),
    ...(rule !== undefined && { rule }),
    ...(thread !== undefined && { threadId: thread === 'new' ? null : (thread as ThreadId) }),
    ...(quiet !== undefined && { quietHours: toQuietHours(quiet, flags.zone) }),
    ...toBudget(flags, before?.budget ?? DEFAULT_BUDGET),
  }
}

function toBudget({ usd, runs }: TriggerFlags, before: TriggerBudget): Partial<TriggerSourceFields> {
  if (usd === undefined && runs === undefined) return {}
  const budget = {
    usd: usd === undefined ? before.usd : toNumber('usd', usd, 1_000),
    runs: runs === undefined ? before.runs : toNumber('runs', runs, 10_000),
  }
  if (!Number.isInteger(budget.runs)) throw new UsageError('--runs must be a whole number.')
  return { budget }
}

/** Throws `UsageError` for what is no number from 0 up to `most`. */
export function toNumber(name: string, given: string, most: number): number {
  const value = given.trim() === '' ? Number.NaN : Number(given)
  if (!(value >= 0 && value <= most)) throw new UsageError(`--${name} must be a number up to ${most}.`)
  return value
}

function toQuietHours(given: string, zone: string | undefined): QuietHours | null {
  if (given === 'none') return null
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(given) ?? []
  if (from === undefined || to === undefined)
    throw new UsageError('--quiet must be hours such as 22:00-07:00, or none.')
  return { from, to, timeZone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
}

export function toKind(given: string | undefined): TriggerSourceKind {
  const kind = TRIGGER_SOURCE_KINDS.find((known) => known === given)
  if (!kind)
    throw new UsageError(
      `Name a kind: capstan triggers sources add <kind>. There are: ${TRIGGER_SOURCE_KINDS.join(', ')}.`,
    )
  return kind
}
