import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness'
import type { Environment } from '../render/style.ts'

/** Everything in a data folder belongs to whoever runs the command. */
export const USER_ID = 'local'

/** For `--help`. */
export const HOME_HELP = `  --home <folder>       the data folder; default: CAPSTAN_HOME, else ~/.capstan`

/** The data folder by flag, by CAPSTAN_HOME or the one in the user's own folder. */
export function homeOf(flag: string | undefined, env: Environment): string {
  const named = flag || env['CAPSTAN_HOME']
  return named ? resolve(named) : join(env['HOME'] || env['USERPROFILE'] || homedir(), '.capstan')
}

const stores = new Map<string, Store>()

/** Read-only it works beside the process that owns the folder; otherwise this process becomes the owner. */
export async function openStore(home: string, _how: { readonly readOnly: boolean }): Promise<Store> {
  const store = stores.get(home) ?? { ...createMemoryStore(), close: () => {} }
  stores.set(home, store)
  return store
}
