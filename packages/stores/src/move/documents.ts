import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../postgres/database/database.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import { lock, unlock } from '../shared/vault/secret-lock.ts'

/** A text that an installation keeps beside its conversations. */
export interface MovedDocument {
  readonly name: string
  readonly text: string
}

/** Files of a data folder that belong to the installation and not to one machine, with their names as documents. */
const FILES: readonly (readonly [file: string, name: string])[] = [
  ['settings.json', 'settings'],
  ['hold.json', 'hold'],
  ['logins.json', 'logins'],
]

/** With it anybody is the owner, so it is locked in the database: its document holds ciphertext. */
const INSTALL_SECRET = 'install.key'
const ABOUT_INSTALL_SECRET = ['document', INSTALL_SECRET]

/** The documents of a folder. Those that do not exist are left out. The install secret is in hexadecimal. */
export function readFolderDocuments(folder: string): readonly MovedDocument[] {
  const texts = FILES.flatMap(([file, name]) => {
    const bytes = readIfThere(join(folder, file))
    return bytes ? [{ name, text: bytes.toString('utf8') }] : []
  })
  const secret = readIfThere(join(folder, INSTALL_SECRET))
  return secret ? [...texts, { name: INSTALL_SECRET, text: secret.toString('hex') }] : texts
}

/** Writes documents into an empty table. */
export async function writeDocuments(
  database: Database,
  secretKey: SecretKey,
  documents: readonly MovedDocument[],
): Promise<void> {
  for (const { name, text } of documents) {
    const { key } = secretKey.readOrCreate()
    const body = name === INSTALL_SECRET ? lock(key, ABOUT_INSTALL_SECRET, text) : Buffer.from(text)
    await database.write('INSERT INTO documents VALUES ($1, 1, $2) ON CONFLICT DO NOTHING', [
      name,
      Buffer.from(body),
    ])
  }
}

/** The documents in the table, as they were written. */
export async function readDocuments(
  database: Database,
  secretKey: SecretKey,
): Promise<readonly MovedDocument[]> {
  const rows = await database.read<{ name: string; body: Buffer }>('SELECT name, body FROM documents')
  return rows.map(({ name, body }) => ({
    name,
    text:
      name === INSTALL_SECRET
        ? (unlock(secretKey.readOrCreate().key, ABOUT_INSTALL_SECRET, body) ?? 'cannot be opened')
        : body.toString('utf8'),
  }))
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
