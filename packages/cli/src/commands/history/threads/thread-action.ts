import type { ThreadRow } from '@capstan/protocol'
import type { Shell } from '../../../shell/shell.ts'
import { UsageError } from '../../../shell/shell.ts'
import { STORE_OPTIONS } from '../../../store-access/with-store.ts'
import { toPrintableLine } from '../../../terminal/printable.ts'

/** The options of `capstan threads`, for all actions together. */
export const THREAD_OPTIONS = {
  ...STORE_OPTIONS,
  limit: { type: 'string' },
  archived: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean' },
} as const

/** The parsed options of `capstan threads`. */
export interface ThreadFlags {
  readonly home?: string
  readonly json?: boolean
  readonly limit?: string
  readonly archived?: boolean
  readonly format?: string
  readonly out?: string
  readonly yes?: boolean
}

/** One action of `capstan threads`. Settles with the exit code. */
export type ThreadAction = (words: readonly string[], flags: ThreadFlags, shell: Shell) => Promise<number>

/** The one id an action takes. Throws `UsageError` when there is none or more than one. */
export function parseOneId(words: readonly string[], action: string): string {
  const [id, ...more] = words
  if (id === undefined || id === '' || more.length > 0)
    throw new UsageError(`Give the id of one thread: capstan threads ${action} <id>.`)
  return id
}

/** The title of a thread in quotes, or its id when it has none. */
export const nameOf = ({ title, id }: ThreadRow): string =>
  title === '' ? id : `"${toPrintableLine(title)}"`
