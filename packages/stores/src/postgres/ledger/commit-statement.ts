import type { LedgerRecord } from '@capstan/harness/stores'
import { searchableText } from '@capstan/harness/stores'
import { requestFields, toRequestColumns } from '../../shared/approvals/sealed-approval.ts'
import type { Checked } from '../../shared/ledger/check-records.ts'
import { HOLDS_USAGE, HOLDS_WORDS } from '../../shared/ledger/page-body.ts'
import type { Seal } from '../../shared/seal.ts'
import type { SealedPage } from '../audit/lanes.ts'
import { toNewColumns, toChangedColumns } from '../runs/run-rows.ts'
import { toUsageColumns } from '../runs/usage.ts'
import { toSearchColumns } from '../threads/search.ts'
import type { CachedThread } from './known-threads.ts'
import type { RowChanges } from './row-changes.ts'

/** One commit, ready to be sent. */
export interface Commit {
  readonly thread: CachedThread
  /** The epoch under which this store owns the thread; undefined when it has not claimed it. */
  readonly epoch: number | undefined
  readonly records: readonly LedgerRecord[]
  readonly checked: Checked
  readonly kinds: number
  readonly body: string
  readonly changes: RowChanges | undefined
}

/** A statement that checks the thread and, if nobody else has written to it or owns it, writes everything at once. */
export interface CommitStatement {
  readonly sql: string
  readonly values: readonly unknown[]
}

export function toCommitStatement(commit: Commit, page: SealedPage, seal: Seal): CommitStatement {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const parts = rowParts(commit, value, seal)
  const sets = touchThread(commit, value)
  const { thread, epoch, checked, kinds, body } = commit
  const no = value(thread.no)
  const pages = value(thread.pages)
  const owned = epoch === undefined ? 'owner IS NULL' : `epoch = ${value(epoch)}`
  const lastSeq = value(checked.lastSeq)
  if (checked.hasRows || checked.isSealed) {
    parts.push(`reached AS (UPDATE chains SET reach = ${value(page.no)}, reach_seal = ${value(page.reachSeal)}
      FROM thread WHERE chains.no = ${value(page.chain)})`)
  }
  const chain = value(page.chain)
  const sql = `WITH link AS MATERIALIZED (SELECT ${isLinked(page, chain, value)} AS is_linked), thread AS (
    UPDATE threads SET last_seq = ${lastSeq}, pages = pages + 1${sets} FROM link
    WHERE no = ${no}::bigint AND pages = ${pages}::bigint AND ${owned} AND is_linked RETURNING no, user_id, pages),
  ${parts.map((part) => `${part},\n`).join('')}
  page AS (INSERT INTO journal (thread, page, last_seq, kinds, body, chain, no, mac)
    SELECT thread.no, thread.pages, ${lastSeq}::bigint, ${value(kinds)}::integer, ${value(body)}::text,
    ${chain}::bigint, ${value(page.no)}::bigint, ${value(page.mac)}::bytea FROM thread)
  SELECT (SELECT count(*) FROM thread) AS written, is_linked FROM link`
  return { sql, values }
}

type AddValue = (given: unknown) => string

/** The page before it in its chain is there: a crash of the server may have lost it. */
function isLinked({ after, no }: SealedPage, chain: string, value: AddValue): string {
  const thread = value(after?.thread ?? null)
  return `(${thread}::bigint IS NULL OR EXISTS (SELECT FROM journal WHERE thread = ${thread}::bigint
    AND page = ${value(after?.page ?? null)}::bigint AND chain = ${chain}::bigint AND no = ${value(no - 1)}::bigint))`
}

function touchThread({ changes }: Commit, value: AddValue): string {
  const row = changes?.touched()
  if (!row) return ''
  // A title that a person gave meanwhile stays.
  return `, title = CASE WHEN title = '' THEN ${value(toStorable(row.title))} ELSE title END, updated_at = ${value(row.updatedAt)}`
}

function rowParts(commit: Commit, value: AddValue, seal: Seal): string[] {
  const { records, checked, kinds, changes } = commit
  const parts: string[] = []
  if (kinds & HOLDS_USAGE) {
    const usages = records.filter((record) => record.type === 'usage').map(toUsageColumns)
    parts.push(`used AS (INSERT INTO usage (thread, user_id, at, model, input_tokens, output_tokens, cached_input_tokens,
      cache_write_tokens, reasoning_tokens, charged_usd, estimated_usd, estimated)
      SELECT thread.no, thread.user_id, r.* FROM thread, ${recordset(value(toJson(usages)), USAGE_TYPES)})`)
  }
  if (kinds & HOLDS_WORDS) {
    const texts = searchableTexts(commit).map(toSearchColumns)
    if (texts.length > 0) parts.push(insertTexts(value(toJson(texts))))
  }
  if (changes && checked.hasRows) parts.push(...changedParts(commit, changes, value, seal))
  return parts
}

function changedParts(commit: Commit, changes: RowChanges, value: AddValue, seal: Seal): string[] {
  const parts: string[] = []
  const { newRuns, changedRuns, requests, mediaBytes, queued } = changes
  if (newRuns.size > 0) {
    const rows = [...newRuns.values()].map(toNewColumns)
    parts.push(`started AS (INSERT INTO runs (thread, id, status, waits_for, body, user_id, root, depth, started_at,
      message_id, from_seq) SELECT thread.no, r.* FROM thread, ${recordset(value(toJson(rows)), NEW_RUN_TYPES)})`)
  }
  if (changedRuns.size > 0) {
    const rows = [...changedRuns.values()].map(({ row }) => toChangedColumns(row))
    parts.push(`changed AS (UPDATE runs SET status = r.status, waits_for = r.waits_for, body = r.body
      FROM thread, ${recordset(value(toJson(rows)), RUN_TYPES)} WHERE runs.id = r.id AND runs.thread = thread.no)`)
  }
  if (requests.length > 0) {
    const rows = requests.map((request) => {
      const columns = toRequestColumns(commit.thread, request)
      const { id, user, run, call, created_at, expires_at } = columns
      const sealed = Buffer.from(seal.of(requestFields(columns))).toString('hex')
      return {
        id,
        user_id: user,
        run,
        call,
        created_at,
        expires_at,
        request: JSON.stringify(columns),
        seal: sealed,
      }
    })
    parts.push(`asked AS (INSERT INTO approvals (thread, id, user_id, run, call, created_at, expires_at, request, seal)
      SELECT thread.no, r.id, r.user_id, r.run, r.call, r.created_at, r.expires_at, r.request, decode(r.seal, 'hex')
      FROM thread, ${recordset(value(toJson(rows)), APPROVAL_TYPES)})`)
  }
  if (mediaBytes.size > 0) {
    const bytes = [...mediaBytes.values()].map((part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    )
    parts.push(`shown AS (INSERT INTO media SELECT thread.no, r.*
      FROM thread, unnest(${value([...mediaBytes.keys()])}::text[], ${value(bytes)}::bytea[]) r
      ON CONFLICT (thread, ref) DO UPDATE SET bytes = excluded.bytes)`)
  }
  const [added, removed] = [true, false].map((is) => [...queued.keys()].filter((id) => queued.get(id) === is))
  if (added!.length > 0) {
    parts.push(`queued AS (INSERT INTO queue SELECT thread.no, r.id FROM thread, unnest(${value(added)}::text[]) r(id)
      ON CONFLICT DO NOTHING)`)
  }
  if (removed!.length > 0) {
    parts.push(`dequeued AS (DELETE FROM queue USING thread
      WHERE queue.thread = thread.no AND queue.id = ANY(${value(removed)}::text[]))`)
  }
  return parts
}

/** Questions and answers of turns, for the search. */
function searchableTexts({ records, thread, changes }: Commit): string[] {
  const isTurn = (runId: string): boolean => {
    const run = changes?.runs.get(runId as never) ?? thread.turns.get(runId as never)
    return run?.row.depth === 0
  }
  return records.flatMap((record) => searchableText(record, isTurn) ?? [])
}

const insertTexts = (rows: string): string =>
  `found AS (INSERT INTO search (thread, user_id, is_title, text, words, unspaced)
    SELECT thread.no, thread.user_id, false, r.text, r.words::tsvector, r.unspaced
    FROM thread, ${recordset(rows, 'text text, words text, unspaced text')})`

const recordset = (rows: string, columns: string): string =>
  `json_to_recordset(${rows}::json) AS r(${columns})`

const RUN_TYPES = 'id text, status text, waits_for text, body text'
const NEW_RUN_TYPES = `${RUN_TYPES}, user_id text, root text, depth integer, started_at double precision,
  message_id text, from_seq bigint`
const APPROVAL_TYPES = `id text, user_id text, run text, call text, created_at double precision,
  expires_at double precision, request text, seal text`
const USAGE_TYPES = `at double precision, model text, input_tokens double precision, output_tokens double precision,
  cached_input_tokens double precision, cache_write_tokens double precision, reasoning_tokens double precision,
  charged_usd double precision, estimated_usd double precision, estimated boolean`

/** A column cannot hold half a character. */
const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))

/** For texts that are only shown: without NUL, which no column can hold. */
const toStorable = (text: string): string => text.replaceAll('\0', '')
