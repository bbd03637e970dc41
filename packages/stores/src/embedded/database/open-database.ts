import { accessSync, closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { toFileTime } from '../backups/backups.ts'
import type { Backups } from '../backups/backups.ts'
import { checkFile, checkStructure, isCheckDue, noteChecked } from './check-file.ts'
import { noteFileState, readFileState } from './file-state.ts'
import { KEPT_LOG_BYTES } from '../write-ahead-log/checkpointer.ts'
import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { isOld, migrate, readVersion, refuseNewer } from '../migrations/migrations.ts'
import { isDamageAtOpening } from './store-errors.ts'

export interface OpenDatabase {
  readonly connection: Connection
  readonly notices: readonly string[]
  /** The file was gone or damaged, so that it now holds less than it did. */
  readonly isReplaced: boolean
}

export interface DatabaseFile {
  readonly path: string
  readonly backups: Backups
  readonly now: () => number
  /** The store was used before, so an empty file means that data was lost. */
  readonly isUsed: boolean
}

/**
 * Opens the file for its owner, of any version and in any state. A damaged file is moved aside, and the newest whole
 * backup replaces it, or an empty file. Throws for a newer one, and for a disk that fails.
 */
export function openDatabase(file: DatabaseFile): OpenDatabase {
  const { path, backups, now } = file
  const notices: string[] = []
  const name = basename(path)
  if (!existsSync(path) && file.isUsed) {
    moveAside(path, now())
    notices.push(`${name} was not there: an empty one was created. Copies of the old one may be in backups.`)
    return { connection: openWhole(file, notices), notices, isReplaced: true }
  }
  try {
    return { connection: openWhole(file, notices), notices, isReplaced: false }
  } catch (error) {
    if (!isDamageAtOpening(error)) throw error
  }
  const kept = moveAside(path, now())
  for (const backup of backups.list()) {
    try {
      backups.restore(backup)
      noteFileState(path, 'unknown')
      const connection = openWhole(file, notices)
      notices.push(`${name} was damaged. It was kept as ${kept}, and the backup ${backup} took its place.`)
      return { connection, notices, isReplaced: true }
    } catch (error) {
      if (!isDamageAtOpening(error)) throw error
      removeFile(path)
    }
  }
  const connection = openWhole({ ...file, isUsed: false }, notices)
  notices.push(
    `${name} was damaged and there was no backup. It was kept as ${kept}, and an empty one was created.`,
  )
  return { connection, notices, isReplaced: true }
}

// Up to this size, checking all of it takes no noticeable time.
const LARGE_BYTES = 64 * 2 ** 20

function openWhole(file: DatabaseFile, notices: string[]): Connection {
  const { path, backups, now, isUsed } = file
  const isNew = !existsSync(path)
  if (!isNew && isUsed && statSync(path).size === 0) throw new StoreError('damaged', 'The store is empty.')
  if (isNew) createPrivate(path)
  else accessSync(path, constants.R_OK | constants.W_OK)
  const state = isNew ? 'closed' : readFileState(path)
  const connection = openConnection(path)
  try {
    tune(connection)
    const version = readVersion(connection)
    refuseNewer(version, basename(path))
    if (version === 0) {
      migrate(connection)
      noteChecked(connection, now())
    } else if (isOld(version)) {
      checkStructure(connection)
      const backup = backups.copy(connection)
      migrate(connection)
      notices.push(
        `${basename(path)} was brought to this version of Capstan; the old one was kept as backup ${backup}.`,
      )
    }
    const isLarge = statSync(path).size > LARGE_BYTES
    if (state === 'open' && isLarge) checkStructure(connection)
    if (state === 'unknown' || (state === 'open' && !isLarge) || isCheckDue(connection, now())) {
      checkFile(connection)
      noteChecked(connection, now())
    }
    noteFileState(path, 'open')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Pages of 4 KB hold a commit or two; larger ones made each changed row more expensive. A commit survives the process
 * (`NORMAL`); `sync` makes it survive the machine. The checkpointer does what SQLite would do inside of a commit.
 */
function tune({ db }: Connection): void {
  db.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON')
  db.exec(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`)
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF')
}

/** SQLite gives the files beside it the same permissions. */
function createPrivate(path: string): void {
  for (const suffix of SIDE_FILES) rmSync(`${path}${suffix}`, { force: true })
  closeSync(openSync(path, 'a', 0o600))
}

const SIDE_FILES = ['-wal', '-shm', '-journal']

function moveAside(path: string, at: number): string {
  const kept = `${basename(path, '.db')}.damaged-${toFileTime(at)}.db`
  for (const suffix of ['', ...SIDE_FILES]) {
    if (existsSync(`${path}${suffix}`)) {
      renameSync(`${path}${suffix}`, join(dirname(path), `${kept}${suffix}`))
    }
  }
  return kept
}

function removeFile(path: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${path}${suffix}`, { force: true })
}
