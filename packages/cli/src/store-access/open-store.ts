import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '@capstan/harness/stores'
import { createMemoryStore } from '@capstan/harness/stores'
import { openEmbeddedStore } from '@capstan/stores'
import { CommandError } from '../shell/shell.ts'
import type { Environment } from '../terminal/style.ts'

/** The user of the command line. Owns everything in a data folder. */
export const USER_ID = 'local'

/** The line about `--home` for `--help`. */
export const HOME_HELP = `  --home <folder>       the data folder; default: CAPSTAN_HOME, or ~/.capstan`

/** The data folder: the flag, CAPSTAN_HOME, or `.capstan` in the home folder of the user. */
export function homeOf(flag: string | undefined, env: Environment): string {
  const named = flag || env['CAPSTAN_HOME']
  return named ? resolve(named) : join(env['HOME'] || env['USERPROFILE'] || homedir(), '.capstan')
}

/**
 * Opens the store in a folder. Read-only works while another process owns the folder. Without a database it answers
 * with an empty store and creates nothing.
 */
export function openStore(home: string, { readOnly }: { readonly readOnly: boolean }): Store {
  return existsSync(join(home, 'capstan.db'))
    ? openEmbeddedStore({ folder: home, readOnly })
    : createMemoryStore()
}

/** Opens the store as its owner, and creates it if needed. Not where nodes share a database: a node does that. */
export function openStoreAsOwner(home: string, env: Environment = process.env): Store {
  refuseBesideNodes(env)
  return openEmbeddedStore({ folder: home })
}

/** Throws where nodes share a database: a data folder holds nothing there, so a command needs a node. */
export function refuseBesideNodes(env: Environment): void {
  if (env['DATABASE_URL'])
    throw new CommandError(
      'DATABASE_URL is set, so a node has to do this, and none runs with this data folder. Run the command on the ' +
        'machine of a node, with the --home of that node, or start one with "capstan serve".',
    )
}
