import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@capstan/harness/stores'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { openChain } from './audit/chain.ts'
import { readChainNote, toChainNote, writeChainNote } from './audit/chain-note.ts'
import { findBreak } from './audit/find-break.ts'
import type { StartFacts } from './audit/find-break.ts'
import { createBackups } from './backups/backups.ts'
import type { Backups } from './backups/backups.ts'
import { createDailyBackup } from './backups/daily-backup.ts'
import { createCheckpointer } from './write-ahead-log/checkpointer.ts'
import type { Connection } from './database/connection.ts'
import { noteFileState } from './database/file-state.ts'
import { refuseMoved } from './database/moved-note.ts'
import { openReach } from './database/reach.ts'
import { createStoreParts } from './store-parts.ts'
import type { StoreKeys } from './store-parts.ts'
import { lockFolder } from './database/lock.ts'
import { openDatabase } from './database/open-database.ts'
import { createPageIndex } from './ledger/page-index.ts'
import { endUnproven } from './runs/end-unproven.ts'
import { openSentIds } from './runs/sent-ids.ts'
import { openReader } from './open-reader.ts'
import { openSeal } from './approvals/seal-file.ts'
import { openSecretKey } from '../shared/vault/secret-key.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import { secretNotices } from '../shared/vault/locked-secret.ts'
import { createSharedSync } from './write-ahead-log/shared-sync.ts'
import { isDamage, toStoreError } from './database/store-errors.ts'
import { syncFolder } from '../shared/vault/sync-folder.ts'

/** Where the store is, and how to open it. */
export interface EmbeddedStoreOptions {
  /** Holds everything. Created if it does not exist, for this user alone. */
  readonly folder: string
  readonly clock?: Pick<Clock, 'now'>
  /** Reads beside the owner, and cannot change anything. */
  readonly readOnly?: boolean
  /**
   * The file of the key for secrets, unless `CAPSTAN_SECRET_KEY` holds the key (64 hexadecimal digits). Created with the
   * first secret. Default: `secret.key` in the folder; better on another disk, and never in a backup.
   */
  readonly keyFile?: string
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Opens the store in a folder of this machine. One process owns it at a time; others may read. Throws a
 * `StoreError`: `locked` when another process owns it, `newer` when a newer version wrote it, `invalid` when its contents
 * were moved to PostgreSQL.
 */
export function openEmbeddedStore(options: EmbeddedStoreOptions): Store {
  const { folder, clock = Date, readOnly = false, env = process.env } = options
  try {
    const secretKey = openSecretKey({ file: options.keyFile ?? join(folder, 'secret.key'), env })
    return readOnly
      ? openReader(folder, secretKey).store
      : openOwner({ folder, secretKey, now: () => clock.now() })
  } catch (error) {
    throw toStoreError(error)
  }
}

interface OwnerOptions {
  readonly folder: string
  readonly secretKey: SecretKey
  readonly now: () => number
}

function openOwner(options: OwnerOptions): Store {
  const { folder } = options
  makeFolder(folder)
  const unlock = lockFolder(folder)
  try {
    // Under the lock, which a move holds until it has written its note.
    refuseMoved(folder)
    try {
      return createOwner(options, unlock)
    } catch (error) {
      if (!isDamage(error)) throw error
      // The damage was found after the quick check: now the whole file is checked.
      noteFileState(join(folder, 'capstan.db'), 'unknown')
      return createOwner(options, unlock)
    }
  } catch (error) {
    unlock()
    throw error
  }
}

function createOwner({ folder, secretKey, now }: OwnerOptions, unlock: () => void): Store {
  const path = join(folder, 'capstan.db')
  const backups = createBackups(join(folder, 'backups'), path, now)
  const note = readChainNote(folder)
  const isUsed = existsSync(join(folder, 'seal.key')) || note !== undefined
  const { connection, notices, isReplaced } = openDatabase({ path, backups, now, isUsed })
  try {
    const { seal, isNew } = openSeal(folder)
    syncFolder(folder)
    const isLost = isNew && holdsSealed(connection)
    const more = isLost ? ['seal.key was lost: earlier approvals count for nothing.'] : []
    return createStore(connection, {
      folder,
      path,
      keys: { seal, secretKey },
      backups,
      now,
      unlock,
      start: { note, isReplaced, isKeyNew: isNew },
      notices: [...notices, ...more],
    })
  } catch (error) {
    connection.close()
    throw error
  }
}

/** A process that was killed while it first opened a folder leaves a file without a key, and no rows that need one. */
function holdsSealed({ db }: Connection): boolean {
  const sealed = ['approvals', 'grants', 'scopes'].map((table) => `EXISTS (SELECT 1 FROM ${table})`)
  return (db.prepare(`SELECT ${sealed.join(' OR ')} AS holds`).get() as { holds: number }).holds === 1
}

interface Owned {
  readonly folder: string
  readonly path: string
  readonly keys: StoreKeys
  readonly backups: Backups
  readonly now: () => number
  readonly unlock: () => void
  readonly start: StartFacts
  readonly notices: readonly string[]
}

function createStore(connection: Connection, owned: Owned): Store {
  const { folder, path, keys, backups, now, unlock } = owned
  const { parts, isBroken, lastPage } = openParts(connection, owned)
  const index = createPageIndex(connection, parts.journal, parts.rows)
  index.tryCatchUp()
  const log = createSharedSync(`${path}-wal`)
  const checkpointer = createCheckpointer(connection, path, log)
  const daily = createDailyBackup(connection, backups, {
    now,
    isWorthIt: () => parts.journal.lastId() > 0 || !parts.connections.isEmpty(),
  })
  const notices = [
    ...owned.notices,
    ...(isBroken ? ['The audit log was not as it was left: run "capstan audit verify".'] : []),
    ...secretNotices(parts.secrets.keys(), keys.secretKey),
  ]
  const { access } = parts
  const reach = openReach(path)
  const sent = openSentIds(path)
  const changed = (bytes: number, page = parts.journal.lastId()): void => {
    log.note()
    reach.committed(page)
    checkpointer.note(bytes + BYTES_PER_COMMIT)
  }
  let closing: Promise<void> | undefined

  const sync = (): Promise<void> | undefined => {
    const page = parts.journal.lastId()
    return log.wait()?.then(() => reach.synced(page))
  }
  const ports = parts.createPorts({
    index,
    sync,
    written(page, records, threadId) {
      index.add(page, records)
      sent.note(threadId, records)
      changed(page.body.length, page.id)
    },
    changed: (bytes) => changed(bytes),
  })
  const missing = Math.max(0, reach.noted - lastPage)
  if (missing > 0) {
    endUnproven(ports, sent.before, now())
    log.flushNow()
    reach.lose(missing + reach.lost, parts.journal.lastId())
  }
  // What replaced a damaged file was told already. A process that was killed may not have told anybody.
  if (missing + reach.lost > 0 && owned.notices.length === 0) notices.push(lostPages(missing + reach.lost))
  return { ...ports, notices, close: () => (closing ??= close()) }

  async function close(): Promise<void> {
    access.close()
    index.stop()
    index.tryCatchUp()
    try {
      await daily.close()
      await checkpointer.stop()
      await log.close()
      const last = parts.journal.lastId()
      const note = toChainNote(connection)
      connection.close()
      reach.close(last)
      sent.close()
      writeChainNote(folder, note)
      await checkpointer.close()
      noteFileState(path, access.hasSeenDamage() ? 'unknown' : 'closed')
    } catch (error) {
      throw toStoreError(error)
    } finally {
      unlock()
    }
  }
}

/** Opens the chain and notes when it is broken, both or none of it. */
function openParts(connection: Connection, { folder, path, keys, start, now }: Owned) {
  const opened = connection.transaction(() => {
    const broken = findBreak(connection, start, now())
    const chain = openChain(connection, keys.seal, { isKeyNew: start.isKeyNew, now })
    const parts = createStoreParts(folder, connection, keys, () => noteFileState(path, 'unknown'), chain)
    const lastPage = parts.journal.lastId()
    if (broken) parts.journal.appendAudit([broken])
    // The notices tell of a replaced file already.
    return { parts, lastPage, isBroken: broken !== undefined && !start.isReplaced }
  })
  writeChainNote(folder, toChainNote(connection))
  return opened
}

const lostPages = (count: number): string =>
  `The last ${count} saved steps are missing: the log beside capstan.db was deleted, cut or overwritten. Threads may have ` +
  'lost their end. Turns whose end is not known were ended and are not run again; look in backups for older copies.'

// A commit writes whole pages.
const BYTES_PER_COMMIT = 8192
