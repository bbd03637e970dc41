import { StoreError } from '@capstan/harness'
import type { ApprovalRequest, StoredApproval } from '@capstan/harness/stores'
import type { ApprovalDecision, CallId, RunId, ThreadId } from '@capstan/protocol'
import {
  requestFields,
  toAnswerColumns,
  toApproval,
  toRequestColumns,
} from '../../shared/approvals/sealed-approval.ts'
import type { ApprovalColumns } from '../../shared/approvals/sealed-approval.ts'
import type { KnownThread } from '../../shared/ledger/write-rows.ts'
import type { Connection } from '../database/connection.ts'
import type { Seal } from '../../shared/seal.ts'

/** Questions to people, and their answers. Each is sealed when it is written. */
export interface ApprovalRows {
  insert(thread: KnownThread, request: ApprovalRequest): void
  get(id: string): ApprovalOfUser | undefined
  findByCall(runId: RunId, callId: CallId): StoredApproval | undefined
  /** The one that this message has answered. */
  findByMessage(threadId: ThreadId, messageId: string): StoredApproval | undefined
  ofRun(runId: RunId): StoredApproval[]
  list(userId: string): StoredApproval[]
  /** Nobody has answered, and their time is over. */
  overdue(now: number): StoredApproval[]
  nextExpiry(): number | undefined
  decide(id: string, decision: ApprovalDecision, at: number, messageId?: string): void
  delete(thread: number): void
}

interface ApprovalOfUser {
  readonly approval: StoredApproval
  readonly userId: string
  /** The number of the thread. */
  readonly thread: number
}

interface Row extends ApprovalColumns {
  readonly thread: number
}

export function createApprovalRows(connection: Connection, seal: Seal): ApprovalRows {
  const insert = connection.prepare(
    `INSERT INTO approvals (id, thread, thread_id, user, run, call, tool, label, arguments, digest, signature,
    created_at, expires_at, terms, reason, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = connection.prepare<Row>('SELECT * FROM approvals WHERE id = ?')
  const byCall = connection.prepare<Row>(
    'SELECT * FROM approvals WHERE run = ? AND call = ? ORDER BY created_at DESC, no DESC LIMIT 1',
  )
  const byMessage = connection.prepare<Row>(
    'SELECT * FROM approvals WHERE answered_by = ? AND thread_id = ? LIMIT 1',
  )
  const ofRun = connection.prepare<Row>('SELECT * FROM approvals WHERE run = ?')
  const ofUser = connection.prepare<Row>('SELECT * FROM approvals WHERE user = ? ORDER BY created_at, no')
  const overdue = connection.prepare<Row>(
    'SELECT * FROM approvals WHERE decision IS NULL AND expires_at <= ? ORDER BY created_at, no',
  )
  const next = connection.prepare<{ readonly at: number | null }>(
    'SELECT min(expires_at) AS at FROM approvals WHERE decision IS NULL',
  )
  const decide = connection.prepare(
    'UPDATE approvals SET decision = ?, decided_at = ?, decision_seal = ?, answered_by = ? WHERE id = ?',
  )
  const remove = connection.prepare('DELETE FROM approvals WHERE thread = ?')
  const read = (row: Row): StoredApproval => toApproval(seal, row)

  return {
    insert(thread, request) {
      if (byId.get(request.id)) throw new StoreError('invalid', `There already is an approval ${request.id}.`)
      const row = toRequestColumns(thread, request)
      insert.run(
        row.id,
        thread.no,
        row.thread_id,
        row.user,
        row.run,
        row.call,
        row.tool,
        row.label,
        row.arguments,
        row.digest,
        row.signature,
        row.created_at,
        row.expires_at,
        row.terms,
        row.reason,
        seal.of(requestFields(row)),
      )
    },
    get(id) {
      const row = byId.get(id)
      return row && { approval: read(row), userId: row.user, thread: row.thread }
    },
    findByCall(runId, callId) {
      const row = byCall.get(runId, callId)
      return row && read(row)
    },
    findByMessage(threadId, messageId) {
      const row = byMessage.get(messageId.toWellFormed(), threadId)
      return row && read(row)
    },
    ofRun: (runId) => ofRun.all(runId).map(read),
    list: (userId) => ofUser.all(userId).map(read),
    overdue: (now) => overdue.all(now).map(read),
    nextExpiry: () => next.get()?.at ?? undefined,
    decide(id, decision, at, messageId) {
      const columns = toAnswerColumns(seal, { id, decision, at, messageId })
      decide.run(columns.decision, columns.decided_at, columns.decision_seal, columns.answered_by, id)
    },
    delete(thread) {
      remove.run(thread)
    },
  }
}
