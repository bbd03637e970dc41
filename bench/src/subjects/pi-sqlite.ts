import { join } from 'node:path'
import { BACKGROUND_CONTEXT } from '@earendil-works/pi-agent-core'
import { createNodeSqliteFactory, SqliteSessionRepo } from '@earendil-works/pi-session-backend-sqlite-node'
import type { SqliteDatabaseFactory } from '@earendil-works/pi-session-backend-sqlite-node'
import { storeFolder } from '../lanes/store-folder.ts'
import type { Subject } from '../subject.ts'
import { piHarnessOn } from './pi-harness.ts'

/**
 * pi's harness on its `node:sqlite` sessions, one database for all conversations. It opens that database for each of
 * them, before the turn.
 */
const sessions = new SqliteSessionRepo({
  directory: storeFolder(),
  databasePath: join(storeFolder(), 'sessions.sqlite'),
  databaseFactory: createRelaxedFactory(),
})

export const subject: Subject = piHarnessOn(() => sessions.create({}, BACKGROUND_CONTEXT))

/** Its own factory leaves SQLite's default, a sync to disk at every commit; every SQLite subject here is given NORMAL. */
function createRelaxedFactory(): SqliteDatabaseFactory {
  const factory = createNodeSqliteFactory()
  return {
    ...factory,
    async open(path) {
      const database = await factory.open(path)
      database.exec('PRAGMA synchronous = NORMAL')
      return database
    },
  }
}
