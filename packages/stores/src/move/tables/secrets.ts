import { StoreError } from '@capstan/harness'
import type { Secret } from '@capstan/harness/stores'
import { lockSecret, toSecretText } from '../../shared/vault/locked-secret.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'
import type { Source } from '../source.ts'

interface SecretRow {
  readonly connection: string
  readonly bound_to: string | null
}

/** Secrets are opened with the key of the folder and locked with the key of the new store. */
export const SECRETS: TableCopy = {
  table: 'secrets',
  columns: { connection: 'text', bound_to: 'text', key: 'text', locked: 'bytea' },
  *rows({ source, keys }) {
    for (const { connection: id, bound_to: boundTo } of listSecrets(source)) {
      const secret = openSecret(source, id)
      if (!secret) continue
      const { key, locked } = lockSecret(keys.secretKey, id, boundTo ?? undefined, toSecretText(secret))
      yield [id, boundTo, key, locked]
    }
  },
}

/** The ids of secrets that cannot be opened: their key is gone, or they were changed outside of the store. */
export const unreadableSecrets = (source: Source): string[] =>
  [...listSecrets(source)].map(({ connection }) => connection).filter((id) => !openSecret(source, id))

const listSecrets = ({ connection }: Source): Iterable<SecretRow> =>
  rowsOf<SecretRow>(connection, 'SELECT connection, bound_to FROM secrets ORDER BY connection')

function openSecret({ store }: Source, id: string): Secret | undefined {
  try {
    // A store in a folder answers at once.
    return store.connections.vault.read(id) as Secret | undefined
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'damaged') return undefined
    throw error
  }
}
