import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import type { ThreadArtifacts } from '../shared/artifacts/thread-artifacts.ts'
import { openSecretKey } from '../shared/vault/secret-key.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import { toChainNote } from '../embedded/audit/chain-note.ts'
import { checkFile } from '../embedded/database/check-file.ts'
import type { Connection } from '../embedded/database/connection.ts'
import { lockFolder } from '../embedded/database/lock.ts'
import { openReach } from '../embedded/database/reach.ts'
import { toStoreError } from '../embedded/database/store-errors.ts'
import { openReader } from '../embedded/open-reader.ts'
import type { OpenFolder } from '../embedded/open-reader.ts'
import { createThreadArtifacts } from '../embedded/threads/thread-artifacts.ts'
import { createSecretRows } from '../embedded/vault/secret-rows.ts'

/** The data folder that is moved. Nothing in it is changed, and no other process can use it meanwhile. */
export interface Source extends OpenFolder {
  readonly folder: string
  readonly secretKey: SecretKey
  readonly artifacts: Pick<ThreadArtifacts, 'list'>
  /** The last page, and its seal. */
  readonly head: { readonly page: number; readonly mac: string }
  close(): void
}

interface SourceOptions {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Opens a data folder that is moved, and checks all of it. Throws a `StoreError`: `locked` when a process uses it, `damaged`
 * when a row is not what was written, `invalid` when Capstan has to start on it once more before it can be moved.
 */
export function openSource({ folder, env }: SourceOptions): Source {
  const unlock = lockFolder(folder)
  try {
    const secretKey = findSecretKey(folder, env)
    const open = openReader(folder, secretKey)
    try {
      checkFile(open.connection)
      const head = toChainNote(open.connection)
      if (openReach(join(folder, 'capstan.db')).noted > head.page)
        throw new StoreError(
          'invalid',
          `Saved steps are missing in ${folder}. Start Capstan on it once: it ends the turns whose end is not known.`,
        )
      return {
        ...open,
        folder,
        secretKey,
        head,
        artifacts: createThreadArtifacts(join(folder, 'artifacts')),
        close() {
          void open.store.close()
          unlock()
        },
      }
    } catch (error) {
      void open.store.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw toStoreError(error)
  }
}

/** The key that opens the secrets of the folder: of the two places it may be in, the one with the right name. */
function findSecretKey(folder: string, env: SourceOptions['env']): SecretKey {
  const ofFile = openSecretKey({ file: join(folder, 'secret.key'), env: {} })
  const given = openSecretKey({ file: '', env })
  const reader = openReader(folder, ofFile)
  try {
    const needed = createSecretRows(reader.connection).keys()
    const isOfFile = needed.includes(ofFile.read()?.name ?? '')
    return isOfFile || !env['CAPSTAN_SECRET_KEY']?.trim() ? ofFile : given
  } finally {
    void reader.store.close()
  }
}

/** All rows of a query, one by one. */
export const rowsOf = <Row>({ db }: Connection, sql: string): Iterable<Row> =>
  db.prepare(sql).iterate() as unknown as Iterable<Row>
