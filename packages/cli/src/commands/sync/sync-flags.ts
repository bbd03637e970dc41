import type { SyncSettings } from '@capstan/protocol'
import { SYNC_BOUNDS } from '@capstan/protocol'
import { UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

const LIMITS = {
  days: 'days',
  items: 'items',
  requests: 'requestsPerDay',
  tokens: 'tokensPerDay',
  every: 'intervalMinutes',
} as const

export const SYNC_OPTIONS = {
  ...STORE_OPTIONS,
  yes: { type: 'boolean' },
  forget: { type: 'boolean' },
  wait: { type: 'boolean' },
  'no-wait': { type: 'boolean' },
  days: { type: 'string' },
  items: { type: 'string' },
  requests: { type: 'string' },
  tokens: { type: 'string' },
  every: { type: 'string' },
  propose: { type: 'boolean' },
  file: { type: 'string' },
  remove: { type: 'boolean' },
} as const

/** The options of `capstan sync`, as they were given. */
export interface SyncFlags {
  readonly home?: string
  readonly json?: boolean
  readonly yes?: boolean
  readonly forget?: boolean
  readonly wait?: boolean
  readonly 'no-wait'?: boolean
  readonly days?: string
  readonly items?: string
  readonly requests?: string
  readonly tokens?: string
  readonly every?: string
  readonly propose?: boolean
  readonly file?: string
  readonly remove?: boolean
}

/** The limits that were given. Throws `UsageError` for one that cannot be used. */
export function readLimits(flags: SyncFlags): Partial<SyncSettings> {
  const given = Object.entries(LIMITS).flatMap(([flag, field]) => {
    const text = flags[flag as keyof typeof LIMITS]
    return text === undefined ? [] : [[field, readWhole(flag, text, SYNC_BOUNDS[field])] as const]
  })
  return Object.fromEntries(given)
}

function readWhole(
  flag: string,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const value = Number(text)
  if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value
  throw new UsageError(`--${flag} is a whole number from ${min} to ${max}, not "${text}".`)
}
