import type { Store } from '@capstan/harness/stores'
import type { Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { homeOf, openStoreAsOwner } from '../../store-access/open-store.ts'
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

/** Opens the store to change items. A database is shared with nodes: items belong to no node, so they need none. */
export async function withOwnedStore<T>(
  { env }: Shell,
  home: string | undefined,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await open(env, home)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

async function open(env: Shell['env'], home: string | undefined): Promise<Store> {
  const url = env['DATABASE_URL']
  if (!url) return openStoreAsOwner(homeOf(home, env), env)
  const { openPostgresStore } = await import('@capstan/stores/postgres')
  const keyFile = env['CAPSTAN_KEY_FILE']
  return openPostgresStore({ url, env, poolSize: 2, ...(keyFile && { keyFile }) })
}
