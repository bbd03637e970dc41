import { hkdfSync } from 'node:crypto'
import { StoreError } from '@capstan/harness'
import { createSeal } from '../shared/seal.ts'
import type { Seal } from '../shared/seal.ts'
import { openSecretKey } from '../shared/vault/secret-key.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import type { Database } from './database/database.ts'

/** The keys of all nodes. They are never in the database. */
export interface NodeKeys {
  readonly secretKey: SecretKey
  readonly seal: Seal
  /** Identifies the keys without revealing them. */
  readonly name: string
}

interface KeyOptions {
  readonly keyFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The key in `CAPSTAN_SECRET_KEY`, or in the file. It locks secrets, and the key of the seals is derived from it. It is
 * never made here: each node would make its own. Throws a `StoreError` of kind `invalid` when there is none.
 */
export function openKeys({ keyFile, env }: KeyOptions): NodeKeys {
  const secretKey = openSecretKey({ file: keyFile ?? '', env })
  const key = keyFile === undefined && !env['CAPSTAN_SECRET_KEY']?.trim() ? undefined : secretKey.read()
  if (!key) {
    throw new StoreError(
      'invalid',
      keyFile === undefined
        ? 'A store on PostgreSQL needs a key that all nodes share: set CAPSTAN_SECRET_KEY to 64 hexadecimal digits, or ' +
            'name a file that holds them in CAPSTAN_KEY_FILE.'
        : `There is no key file ${keyFile}. It must hold the key that all nodes share, 64 hexadecimal digits.`,
    )
  }
  const sealKey = hkdfSync('sha256', key.key.export(), '', 'capstan seals', 32)
  return { secretKey, seal: createSeal(new Uint8Array(sealKey)), name: key.name }
}

/** Notes the name of the keys at the first start. Throws a `StoreError` of kind `invalid` for a node with other keys. */
export async function checkKeys(database: Database, { name }: NodeKeys): Promise<void> {
  await database.write(`INSERT INTO facts VALUES ('key', $1) ON CONFLICT DO NOTHING`, [name])
  const [row] = await database.read<{ value: string }>(`SELECT value FROM facts WHERE name = 'key'`)
  if (row?.value === name) return
  throw new StoreError(
    'invalid',
    'This node has another key than the database was opened with. All nodes need the same one.',
  )
}
