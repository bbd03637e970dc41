import { StoreError } from '@capstan/harness'
import type { Secret } from '@capstan/harness/stores'
import { rowsOf } from './source.ts'
import type { Source } from './source.ts'

/** The ids of all secrets of a folder: most are of connections. */
export const secretIds = ({ connection }: Source): string[] =>
  [...rowsOf<{ id: string }>(connection, 'SELECT connection AS id FROM secrets ORDER BY connection')].map(
    ({ id }) => id,
  )

/** Undefined for a secret that cannot be opened: its key is gone, or it was changed outside of the store. */
export function openSecret({ store }: Source, id: string): Secret | undefined {
  try {
    // A store in a folder answers at once.
    return store.connections.vault.read(id) as Secret | undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return undefined
    throw error
  }
}

export const unreadableSecrets = (source: Source): string[] =>
  secretIds(source).filter((id) => !openSecret(source, id))
