import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness'
import { openEmbeddedStore } from '@capstan/stores'
import type { Environment } from '../terminal/style.ts'

/** Everything in a data folder belongs to whoever runs the command. */
export const USER_ID = 'local'

/** For `--help`. */
export const HOME_HELP = `  --home <folder>       the data folder; default: CAPSTAN_HOME, else ~/.capstan`

/** The data folder by flag, by CAPSTAN_HOME or the one in the user's own folder. */
export function homeOf(flag: string | undefined, env: Environment): string {
  const named = flag || env['CAPSTAN_HOME']
  return named ? resolve(named) : join(env['HOME'] || env['USERPROFILE'] || homedir(), '.capstan')
}

/**
 * The store in the folder: read-only beside the process that owns it, otherwise as its owner. Where there is none yet
 * it is an empty one, and nothing is made.
 */
export function openStore(home: string, { readOnly }: { readonly readOnly: boolean }): Store {
  return existsSync(join(home, 'capstan.db'))
    ? openEmbeddedStore({ folder: home, readOnly })
    : createMemoryStore()
}

/** As its owner; a new one is made where there is none. */
export function openStoreAsOwner(home: string): Store {
  return openEmbeddedStore({ folder: home })
}
