import { StoreError } from '@capstan/harness'
import { withoutMediaBytes } from '@capstan/harness/stores'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { checkRecords } from '../../shared/ledger/check-records.ts'
import { toBody } from '../../shared/ledger/page-body.ts'
import { writeRows } from '../../shared/ledger/write-rows.ts'
import type { Seal } from '../../shared/seal.ts'
import { HOLDS_APPROVALS } from '../audit/audit-store.ts'
import type { Lane, Lanes } from '../audit/lanes.ts'
import type { Database } from '../database/database.ts'
import { isConnectionLoss, toStoreError } from '../database/store-errors.ts'
import type { Claims } from '../threads/claims.ts'
import { toCommitStatement } from './commit-statement.ts'
import type { Commit, CommitStatement } from './commit-statement.ts'
import type { CachedThread, KnownThreads } from './known-threads.ts'
import { createRowChanges } from './row-changes.ts'

export interface CommitParts {
  readonly database: Database
  readonly lanes: Lanes
  readonly known: KnownThreads
  readonly claims: Claims
  readonly seal: Seal
}

/** So often other nodes may write to a thread that nobody owns between reading it and writing to it. */
const MAX_ATTEMPTS = 10

/** Writes one page and the rows that change with it, whole or not at all: for most commits in one statement. */
export async function commitRecords(
  parts: CommitParts,
  threadId: ThreadId,
  records: readonly LedgerRecord[],
): Promise<void> {
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const commit = await prepare(parts, threadId, records).catch((error: unknown) => {
        // What is known of the thread may be old: another node has written to it.
        if (attempt > 1 || !(error instanceof StoreError) || error.kind !== 'invalid') throw error
        return 'stale' as const
      })
      if (commit === undefined) return
      if (commit !== 'stale' && (await parts.lanes.use((lane) => store(parts, lane, commit)))) return
      await readAgain(parts, threadId)
    }
  } catch (error) {
    parts.known.forget(threadId)
    throw toStoreError(error)
  }
  throw new StoreError('locked', `Other nodes are writing to the thread ${threadId}. Try again in a moment.`)
}

/** The thread is not as it was known. Throws when it moved to another node, or when its last pages are lost. */
async function readAgain({ database, known, claims }: CommitParts, threadId: ThreadId): Promise<void> {
  const before = await known.get(threadId)
  known.forget(threadId)
  await claims.refuseIfMoved(threadId)
  const now = await known.get(threadId)
  if (!before || (now ? now.pages >= before.pages : await hasPages(database, before.no))) return
  database.flush.forgetPages(threadId)
  throw lostTail(threadId)
}

/** The pages of a deleted thread stay, without their contents. */
const hasPages = async (database: Database, thread: number): Promise<boolean> =>
  (await database.read('SELECT FROM journal WHERE thread = $1 LIMIT 1', [thread])).length > 0

/** The server has crashed, and has lost commits that were not on the disk. */
export const lostTail = (threadId: ThreadId): StoreError =>
  new StoreError('lost', `The database crashed and lost the last moments of the thread ${threadId}.`)

/** Checks the records against what is known of the thread. Undefined when there is nothing to write. */
async function prepare(
  { known, claims }: CommitParts,
  threadId: ThreadId,
  records: readonly LedgerRecord[],
): Promise<Commit | undefined> {
  const thread = await known.get(threadId)
  if (!thread) throw new StoreError('invalid', `There is no thread ${threadId}.`)
  if (records.length === 0) return undefined
  await known.loadRuns(thread, records)
  const changes = createRowChanges(thread)
  const checked = checkRecords(changes, thread, records)
  if (checked.hasRows) for (const record of records) writeRows(changes, thread, record)
  return {
    thread,
    epoch: claims.epochOf(threadId),
    records,
    checked,
    kinds: checked.kinds | (changes.requests.length > 0 ? HOLDS_APPROVALS : 0),
    body: toBody(checked.hasMedia ? records.map(withoutMediaBytes) : records),
    changes: checked.hasRows ? changes : undefined,
  }
}

/** False when the thread is not as it was known, and nothing was written. */
async function store({ database, seal }: CommitParts, lane: Lane, commit: Commit): Promise<boolean> {
  const { thread, checked, kinds, body, changes } = commit
  const place = { thread: thread.no, page: thread.pages + 1, lastSeq: checked.lastSeq, kinds }
  const page = lane.seal(place, body)
  const statement = toCommitStatement(commit, page, seal)
  const { written, is_linked: isLinked } = await database
    .send<Written>(statement.sql, statement.values)
    .then(onlyRow, (error: unknown) => {
      if (!isConnectionLoss(error)) throw error
      return settle(database, thread, statement, page)
    })
  if (!isLinked) lane.leave()
  if (written === 0) return false
  lane.advance(page)
  database.flush.notePage(thread.id, { ...place, chain: page.chain, no: page.no })
  thread.lastSeq = checked.lastSeq
  thread.pages++
  if (checked.started) for (const runId of checked.started) thread.runs.add(runId)
  changes?.keep()
  return true
}

interface Written {
  readonly written: number
  /** Whether the page before it in its chain is there. If not, nothing was written. */
  readonly is_linked: boolean
}

const onlyRow = ([row]: readonly Written[]): Written => row!

/**
 * The connection was lost, so the statement may have been executed, or may be about to be. Under the lock of the thread
 * its page is there or not; if not, it is written now. Should the first statement arrive after that, it finds another
 * number of pages and writes nothing.
 */
const settle = (
  database: Database,
  thread: CachedThread,
  statement: CommitStatement,
  { chain, no }: { readonly chain: number; readonly no: number },
): Promise<Written> =>
  database.transaction(async (query) => {
    await query('SELECT FROM threads WHERE no = $1 FOR UPDATE', [thread.no])
    const [found] = await query(
      'SELECT FROM journal WHERE thread = $1 AND page = $2 AND chain = $3 AND no = $4',
      [thread.no, thread.pages + 1, chain, no],
    )
    return found === undefined
      ? onlyRow(await query<Written>(statement.sql, statement.values))
      : { written: 1, is_linked: true }
  })
