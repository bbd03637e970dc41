import { StoreError } from '@capstan/harness'
import type { AuditCheck } from '@capstan/protocol'
import { writeMovedNote } from '../embedded/database/moved-note.ts'
import { openDatabase } from '../postgres/database/database.ts'
import { createPostgresStore, openTables } from '../postgres/open-store.ts'
import type { PostgresStoreOptions } from '../postgres/open-store.ts'
import { endMove, noteMove } from '../postgres/unfinished-move.ts'
import { compareAll } from './compare.ts'
import type { ComparedKind } from './compare.ts'
import { copyStore } from './copy-store.ts'
import type { SourceState } from './copy-store.ts'
import { openSource } from './source.ts'
import type { Source } from './source.ts'
import { createSourceContents } from './source-contents.ts'
import { unreadableSecrets } from './secrets.ts'
import { clearTarget, inspectTarget, lockTarget } from './target.ts'
import { createTargetContents } from './target-contents.ts'

/** A move of a data folder into a database. */
export interface MoveOptions extends Pick<PostgresStoreOptions, 'url' | 'keyFile' | 'artifacts' | 'env'> {
  readonly folder: string
  /** Checks both sides, counts, and writes nothing. */
  readonly isDryRun?: boolean
  /** Moves a folder although its audit log is not intact, or secrets cannot be opened. */
  readonly acceptProblems?: boolean
  readonly onProgress?: (progress: MoveProgress) => void
}

/** What was done since the last report. */
export interface MoveProgress {
  readonly step: 'copied' | 'compared'
  /** The table that was copied, or the kind that was compared. */
  readonly what: string
  readonly count: number
}

/** What a move has found and done. */
export interface MoveReport {
  /** The address of the database without a user and a password. */
  readonly to: string
  readonly isDryRun: boolean
  /** What an unfinished move had left was removed first. */
  readonly isRepeated: boolean
  readonly audit: AuditCheck
  readonly unreadableSecrets: readonly string[]
  readonly kinds: readonly ComparedKind[]
  /** Everything that was read back is what was in the folder. Then the folder is marked as moved. */
  readonly isMoved: boolean
}

/**
 * Moves the contents of a data folder into an empty database, and proves it: everything is read on both sides through the
 * ports, and compared. The folder is only read; at the end it gets a note that says where its contents are. Until then
 * the database is marked as unfinished, and no server uses it. Throws a `StoreError`.
 */
export async function moveToPostgres(options: MoveOptions): Promise<MoveReport> {
  const { folder, env = process.env } = options
  if (!URL.canParse(options.url)) throw new StoreError('invalid', 'The address of the database is not a URL.')
  const source = openSource({ folder, env })
  try {
    const state = await checkSource(source)
    if (options.isDryRun) return await tryMove(source, state, options)
    if (!options.acceptProblems) refuseProblems(state)
    return await move(source, state, options)
  } finally {
    source.close()
  }
}

async function checkSource(source: Source): Promise<SourceState> {
  return { audit: await source.store.audit.verify(), unreadableSecrets: unreadableSecrets(source) }
}

function refuseProblems({ audit, unreadableSecrets: secrets }: SourceState): void {
  const found = audit.problems.filter(({ kind }) => kind !== 'reported')
  const problems = [
    ...found.slice(0, 1).map(({ text }) => `the audit log is not intact (${found.length}: ${text})`),
    ...(secrets.length > 0 ? [`secrets cannot be opened (${secrets.join(', ')})`] : []),
  ]
  if (problems.length === 0) return
  throw new StoreError(
    'invalid',
    `The folder was not moved: ${problems.join('; ')}. Mend it, or move it with --accept-problems: the new audit log will ` +
      'say so, and such secrets are left behind.',
  )
}

async function tryMove(source: Source, state: SourceState, options: MoveOptions): Promise<MoveReport> {
  const database = openDatabase({ url: options.url, poolSize: 1, reconnectMs: RECONNECT_MS })
  try {
    const found = await inspectTarget((sql, values) => database.read(sql, values))
    const kinds = await compareAll(source, createSourceContents(source), undefined, () => {})
    return toReport(options, state, { isRepeated: found === 'unfinished', kinds, isMoved: false })
  } finally {
    await database.close()
  }
}

async function move(source: Source, state: SourceState, options: MoveOptions): Promise<MoveReport> {
  const { folder, url, onProgress = () => {} } = options
  const unlock = await lockTarget(url)
  try {
    const opening = { ...withoutOtherKey(options), reconnectMs: RECONNECT_MS }
    const tables = await openTables(opening)
    const { database } = tables
    const store = createPostgresStore(tables, opening)
    try {
      const found = await inspectTarget((sql, values) => database.read(sql, values))
      await noteMove(database, Date.now())
      if (found === 'unfinished') await clearTarget(database)
      await copyStore(source, tables, {
        state,
        now: Date.now,
        onCopied: (what, count) => onProgress({ step: 'copied', what, count }),
      })
      const kinds = await compareAll(
        source,
        createSourceContents(source),
        createTargetContents(tables, store),
        ({ kind, source: { count } }) => onProgress({ step: 'compared', what: kind, count }),
      )
      const check = await store.audit.verify()
      const isSealed = check.problems.every(({ kind }) => kind === 'reported')
      const isMoved = isSealed && kinds.every(({ isEqual }) => isEqual)
      if (isMoved) {
        await store.ledger.sync()
        writeMovedNote(folder, { to: toSafeAddress(url), at: Date.now() })
        await endMove(database)
      }
      return toReport(options, state, { isRepeated: found === 'unfinished', kinds, isMoved })
    } finally {
      await store.close()
    }
  } finally {
    await unlock()
  }
}

const RECONNECT_MS = 10_000

/** A key file is meant for the database. The variable may hold the key of the folder. */
function withoutOtherKey(options: MoveOptions): PostgresStoreOptions {
  const { url, keyFile, artifacts, env = process.env } = options
  const { CAPSTAN_SECRET_KEY: _ofFolder, ...rest } = env
  return {
    url,
    ...(keyFile === undefined ? { env } : { keyFile, env: rest }),
    ...(artifacts !== undefined && { artifacts }),
  }
}

const toReport = (
  { url, isDryRun = false }: MoveOptions,
  { audit, unreadableSecrets: secrets }: SourceState,
  done: Pick<MoveReport, 'isRepeated' | 'kinds' | 'isMoved'>,
): MoveReport => ({ to: toSafeAddress(url), isDryRun, audit, unreadableSecrets: secrets, ...done })

/** The address without what must not be shown. */
function toSafeAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
