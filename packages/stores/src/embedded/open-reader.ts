import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { openConnection } from './database/connection.ts'
import type { Connection } from './database/connection.ts'
import { isOld, readVersion, refuseNewer } from './migrations/migrations.ts'
import { readSeal } from './approvals/seal-file.ts'
import type { Seal } from '../shared/seal.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import { createStoreParts } from './store-parts.ts'

/** A folder that is open for reading. */
export interface OpenFolder {
  readonly store: Store
  readonly connection: Connection
  readonly seal: Seal
}

/** Reads beside the owner, or without one. Each request sees everything that was committed before it. Changes nothing. */
export function openReader(folder: string, secretKey: SecretKey): OpenFolder {
  const path = join(folder, 'capstan.db')
  if (!existsSync(path)) throw new StoreError('io', `There is no store in ${folder} yet.`)
  const connection = openConnection(path, { isReadOnly: true })
  try {
    const version = readVersion(connection)
    refuseNewer(version, 'capstan.db')
    if (isOld(version)) {
      throw new StoreError('invalid', 'capstan.db is of an older version: start Capstan once to migrate it.')
    }
    const seal = readSeal(folder)
    const { access, createPorts } = createStoreParts(folder, connection, { seal, secretKey })
    const close = (): void => {
      access.close()
      connection.close()
    }
    return { store: { ...createPorts(), notices: [], close }, connection, seal }
  } catch (error) {
    connection.close()
    throw error
  }
}
