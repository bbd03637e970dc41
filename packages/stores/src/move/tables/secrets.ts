import { lockSecret, toSecretText } from '../../shared/vault/locked-secret.ts'
import type { TableCopy } from '../copy-table.ts'
import { isDocument } from '../documents.ts'
import { openSecret } from '../secrets.ts'
import { rowsOf } from '../source.ts'

interface SecretRow {
  readonly id: string
  readonly bound_to: string | null
}

/** Secrets are opened with the key of the folder and locked with the key of the new store. */
export const SECRETS: TableCopy = {
  table: 'secrets',
  columns: { connection: 'text', bound_to: 'text', key: 'text', locked: 'bytea' },
  *rows({ source, keys }) {
    const sql = 'SELECT connection AS id, bound_to FROM secrets ORDER BY connection'
    for (const { id, bound_to: boundTo } of rowsOf<SecretRow>(source.connection, sql)) {
      const secret = isDocument(id) ? undefined : openSecret(source, id)
      if (!secret) continue
      const { key, locked } = lockSecret(keys.secretKey, id, boundTo ?? undefined, toSecretText(secret))
      yield [id, boundTo, key, locked]
    }
  },
}
