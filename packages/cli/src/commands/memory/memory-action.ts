import type { Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

/** The options of `capstan memory`, for all actions together. */
export const MEMORY_OPTIONS = {
  ...STORE_OPTIONS,
  jsonl: { type: 'boolean' },
  limit: { type: 'string' },
  app: { type: 'string' },
  account: { type: 'string' },
  yes: { type: 'boolean' },
} as const

/** The parsed options of `capstan memory`. */
export interface MemoryFlags {
  readonly home?: string
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly limit?: string
  readonly app?: string
  readonly account?: string
  readonly yes?: boolean
}

/** One action of `capstan memory`. Settles with the exit code. */
export type MemoryAction = (words: readonly string[], flags: MemoryFlags, shell: Shell) => Promise<number>

/** Throws `UsageError` when an action got words it has no use for. */
export function refuseWords(words: readonly string[], action: string): void {
  if (words.length > 0)
    throw new UsageError(`"${action}" takes no words, not "${words[0]}". See "capstan memory --help".`)
}
