import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secret } from '@capstan/harness/stores'
import type { DocumentRows } from '../postgres/nodes/document-rows.ts'
import { openSecret, secretIds } from './secrets.ts'
import type { Source } from './source.ts'

/** A text that an installation keeps beside its conversations. Nodes have all of them in the database. */
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
const INSTALL_SECRET = ['install.key', 'install-secret'] as const

/** Keys of models, named secrets and sources of triggers are in the vault of a folder, and documents in a database. */
export const isDocument = (secretId: string): boolean => /^(?:settings|secrets|triggers):/.test(secretId)

/** The documents of a folder. Those that do not exist are left out, and secrets that cannot be opened. */
export function readFolderDocuments(source: Source): readonly MovedDocument[] {
  const texts = FILES.flatMap(([file, name]) => toDocument(name, readIfThere(join(source.folder, file))))
  const [file, name] = INSTALL_SECRET
  const installSecret = toDocument(name, readIfThere(join(source.folder, file))?.trim())
  const ofVault = secretIds(source)
    .filter(isDocument)
    .flatMap((id) => toDocument(id, toText(openSecret(source, id))))
  return [...texts, ...installSecret, ...ofVault]
}

const toDocument = (name: string, text: string | undefined): MovedDocument[] =>
  text === undefined ? [] : [{ name, text }]

const toText = (secret: Secret | undefined): string | undefined => secret && JSON.stringify(secret)

/** Writes documents into an empty table. */
export async function writeDocuments(rows: DocumentRows, documents: readonly MovedDocument[]): Promise<void> {
  for (const { name, text } of documents) await rows.write(name, 0, text)
}

/** The documents in the table, as they were written. */
export async function readDocuments(rows: DocumentRows): Promise<readonly MovedDocument[]> {
  const found = await rows.read([...(await rows.versions()).keys()])
  return found.map(({ name, text = 'cannot be opened' }) => ({ name, text }))
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
