import type { Store } from '@capstan/harness/stores'
import { findServer } from '../server-access/server-file.ts'
import type { Shell } from '../shell/shell.ts'
import { CommandError } from '../shell/shell.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { homeOf, openStore, refuseBesideNodes } from './open-store.ts'

/** The options that every command on the data folder takes. */
export const STORE_OPTIONS = { home: { type: 'string' }, json: { type: 'boolean' } } as const

/** Opens the data folder while `use` runs, and closes it again. First prints the store's notices to standard error. */
export async function withStore<T>(
  shell: Shell,
  { home, readOnly }: { readonly home: string | undefined; readonly readOnly: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await open(shell, homeOf(home, shell.env), readOnly)
  try {
    for (const notice of store.notices) shell.stderr.write(`capstan: ${toPrintableLine(notice)}\n`)
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Several nodes share a database: it is read as it is, and written to by nodes only. */
async function open({ env }: Shell, home: string, readOnly: boolean): Promise<Store> {
  const url = env['DATABASE_URL']
  if (!url) {
    if (findServer(home)?.isNode)
      throw new CommandError(
        'A node runs with this data folder. Set DATABASE_URL, and the key, as for the node.',
      )
    return openStore(home, { readOnly })
  }
  if (!readOnly) refuseBesideNodes(env)
  const { openPostgresStore } = await import('@capstan/stores/postgres')
  const keyFile = env['CAPSTAN_KEY_FILE']
  return openPostgresStore({ url, env, poolSize: 2, ...(keyFile && { keyFile }) })
}
