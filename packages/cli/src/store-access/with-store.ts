import type { Store } from '@capstan/harness/stores'
import type { Shell } from '../shell/shell.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { homeOf, openStore } from './open-store.ts'

/** The options that every command on the data folder takes. */
export const STORE_OPTIONS = { home: { type: 'string' }, json: { type: 'boolean' } } as const

/** Opens the data folder while `use` runs, and closes it again. First prints the store's notices to standard error. */
export async function withStore<T>(
  shell: Shell,
  { home, readOnly }: { readonly home: string | undefined; readonly readOnly: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openStore(homeOf(home, shell.env), { readOnly })
  try {
    for (const notice of store.notices) shell.stderr.write(`capstan: ${toPrintableLine(notice)}\n`)
    return await use(store)
  } finally {
    await store.close()
  }
}
