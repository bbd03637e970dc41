import type { AuditCheck, AuditLine, ThreadId } from '@capstan/protocol'
import { createLanes, insertAuditPage } from '../postgres/audit/lanes.ts'
import { createDatabaseArtifacts } from '../postgres/artifacts/database-artifacts.ts'
import { createDocumentRows } from '../postgres/nodes/document-rows.ts'
import { createLockedTexts } from '../postgres/nodes/locked-texts.ts'
import type { OpenTables } from '../postgres/open-store.ts'
import { HOLDS_AUDIT } from '../shared/ledger/page-body.ts'
import { copyArtifacts } from './artifacts.ts'
import { copyTable } from './copy-table.ts'
import type { TableCopy } from './copy-table.ts'
import { readFolderDocuments, writeDocuments } from './documents.ts'
import { rowsOf } from './source.ts'
import type { Source } from './source.ts'
import { APPROVALS, GRANTS } from './tables/approvals.ts'
import { ACTION_EFFECTS, CONNECTIONS, KNOWN_ACTIONS, SCOPES, SIGN_IN_FLOWS } from './tables/connections.ts'
import { JOBS } from './tables/jobs.ts'
import { JOURNAL } from './tables/journal.ts'
import { MEMORY_FACTS, MEMORY_INDEX, MEMORY_ITEMS, MEMORY_TERMS, MEMORY_VECTORS } from './tables/memory.ts'
import { SEARCH } from './tables/search.ts'
import { SECRETS } from './tables/secrets.ts'
import { MEDIA, QUEUE, RUNS, THREADS } from './tables/threads.ts'
import { USAGE } from './tables/usage.ts'
import { continueNumbers } from './target.ts'

const TABLES: readonly TableCopy[] = [
  THREADS,
  JOURNAL,
  RUNS,
  USAGE,
  QUEUE,
  MEDIA,
  SEARCH,
  APPROVALS,
  GRANTS,
  CONNECTIONS,
  SIGN_IN_FLOWS,
  SCOPES,
  ACTION_EFFECTS,
  KNOWN_ACTIONS,
  SECRETS,
  MEMORY_ITEMS,
  MEMORY_INDEX,
  MEMORY_TERMS,
  MEMORY_VECTORS,
  MEMORY_FACTS,
  JOBS,
]

/** What is known of the folder before it is copied. */
export interface SourceState {
  readonly audit: AuditCheck
  /** The ids of secrets that cannot be opened. They are not copied. */
  readonly unreadableSecrets: readonly string[]
}

interface CopyOptions {
  readonly state: SourceState
  readonly now: () => number
  readonly onCopied: (what: string, count: number) => void
}

/** Copies everything into empty tables. */
export async function copyStore(source: Source, target: OpenTables, options: CopyOptions): Promise<void> {
  const { state, now, onCopied } = options
  const { database, keys, bucket } = target
  const lanes = createLanes(database, { seal: keys.seal, nodeId: 'capstan migrate', now, max: 1 })
  await lanes.use(async (lane) => {
    for (const copy of TABLES)
      await copyTable(database, copy, { source, keys, lane }, (count) => onCopied(copy.table, count))
    await continueNumbers(database)
    const lines = JSON.stringify(toMoveLines(source, state, now()))
    // Written once: after a lost connection, the move starts over.
    await database.transaction((query) => insertAuditPage(query, lane, lines, HOLDS_AUDIT))
  })
  const artifacts = bucket ?? createDatabaseArtifacts(database)
  for (const { id } of rowsOf<{ id: ThreadId }>(source.connection, 'SELECT id FROM threads ORDER BY no'))
    onCopied('artifacts', await copyArtifacts(source, artifacts, id))
  const documents = readFolderDocuments(source)
  await writeDocuments(createDocumentRows(database, createLockedTexts(keys.secretKey)), documents)
  onCopied('documents', documents.length)
}

/**
 * Seals into the new log where the old one ended, and whether it was intact. A log that was not stays so: its problems can
 * no longer be found here, and so they are reported as a break.
 */
function toMoveLines({ head }: Source, { audit, unreadableSecrets }: SourceState, at: number): AuditLine[] {
  const found = audit.problems.filter(({ kind }) => kind !== 'reported')
  const facts = {
    rows: audit.rows,
    page: head.page,
    mac: head.mac,
    intact: found.length === 0,
    problems: found.length,
    unreadableSecrets: unreadableSecrets.length,
  }
  const moved: AuditLine = { at, userId: '', action: 'store-move', facts }
  const [first] = found
  if (!first) return [moved]
  const broken = { why: 'moved', noted: first.no, found: head.page }
  return [moved, { at, userId: '', action: 'chain-break', facts: broken }]
}
