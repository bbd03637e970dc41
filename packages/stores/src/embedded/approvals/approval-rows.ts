import { StoreError } from '@capstan/harness'
import type { ApprovalRequest, StoredApproval } from '@capstan/harness/stores'
import type { ApprovalDecision, ApprovalReason, CallId, RunId, ThreadId } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import type { Seal } from './seal.ts'
import type { KnownThread } from '../threads/thread-rows.ts'

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

interface Row {
  readonly id: string
  readonly thread: number
  readonly thread_id: ThreadId
  readonly user: string
  readonly run: RunId
  readonly call: CallId
  readonly tool: string
  readonly label: string
  readonly arguments: string | null
  readonly digest: string
  readonly signature: string
  readonly created_at: number
  readonly expires_at: number
  /** What may be granted and what is hidden, as JSON. */
  readonly terms: string | null
  /** JSON; null when only the mode or a rule asks. */
  readonly reason: string | null
  readonly seal: Uint8Array
  readonly decision: ApprovalDecision | null
  readonly decided_at: number | null
  readonly decision_seal: Uint8Array | null
  /** The message that gave the answer. */
  readonly answered_by: string | null
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
  const read = (row: Row): StoredApproval => toApproval(row, isIntact(seal, row))

  return {
    insert(thread, request) {
      if (byId.get(request.id)) throw new StoreError('invalid', `There already is an approval ${request.id}.`)
      const row = toRow(thread, request)
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
      const answeredBy = messageId?.toWellFormed() ?? null
      const fields = decisionFields({ id, decision, decided_at: at, answered_by: answeredBy })
      decide.run(decision, at, seal.of(fields), answeredBy, id)
    },
    delete(thread) {
      remove.run(thread)
    },
  }
}

type DecisionRow = Pick<Row, 'id' | 'decision' | 'decided_at' | 'answered_by'>

// Answers of older versions, and those that no message gave, are sealed without one.
const decisionFields = (row: DecisionRow): readonly unknown[] => [
  'decision',
  row.id,
  row.decision,
  row.decided_at,
  ...(row.answered_by === null ? [] : [row.answered_by]),
]

type RequestRow = Omit<Row, 'thread' | 'seal' | 'decision' | 'decided_at' | 'decision_seal' | 'answered_by'>

/** A column cannot hold half a character. */
function toRow(thread: KnownThread, request: ApprovalRequest): RequestRow {
  return {
    id: request.id.toWellFormed(),
    thread_id: request.threadId.toWellFormed() as ThreadId,
    user: thread.userId.toWellFormed(),
    run: request.runId.toWellFormed() as RunId,
    call: request.callId.toWellFormed() as CallId,
    tool: request.tool.toWellFormed(),
    label: request.label.toWellFormed(),
    arguments: JSON.stringify(request.arguments) ?? null,
    digest: request.digest.toWellFormed(),
    signature: request.signature.toWellFormed(),
    created_at: request.createdAt,
    expires_at: request.expiresAt,
    terms: toTerms(request),
    reason: request.reason ? JSON.stringify(request.reason) : null,
  }
}

/** What a request says about grants and hidden values. */
type Terms = Pick<ApprovalRequest, 'binding' | 'limits' | 'hidden'>

function toTerms({ binding, limits, hidden }: Terms): string | null {
  const terms = { ...(binding && { binding }), ...(limits && { limits }), ...(hidden && { hidden }) }
  return Object.keys(terms).length === 0 ? null : JSON.stringify(terms)
}

/** Only of a row whose seal fits. */
const readTerms = (terms: string | null): Terms => (terms === null ? {} : (JSON.parse(terms) as Terms))

// Everything in the question, and whose it is.
function requestFields(row: RequestRow): readonly unknown[] {
  return [
    'request',
    row.id,
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
    // Requests of older versions have neither, and were sealed without them. Each is named, so that none can stand in for the
    // other.
    ...(row.terms === null ? [] : ['terms', row.terms]),
    ...(row.reason === null ? [] : ['reason', row.reason]),
  ]
}

function isIntact(seal: Seal, row: Row): boolean {
  if (!seal.fits(requestFields(row), row.seal)) return false
  const { decision, decided_at: decidedAt, decision_seal: decisionSeal } = row
  if (decision === null) return decidedAt === null && decisionSeal === null
  return seal.fits(decisionFields(row), decisionSeal)
}

function toApproval(row: Row, intact: boolean): StoredApproval {
  return {
    id: row.id,
    threadId: row.thread_id,
    runId: row.run,
    callId: row.call,
    tool: row.tool,
    label: row.label,
    arguments: readJson(row.arguments),
    digest: row.digest,
    signature: row.signature,
    ...(intact && readTerms(row.terms)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.reason !== null && { reason: readJson(row.reason) as ApprovalReason }),
    ...(row.decision !== null && { decision: row.decision }),
    ...(row.decided_at !== null && { decidedAt: row.decided_at }),
    isIntact: intact,
  }
}

function readJson(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Edited into something that is no JSON: the seal does not fit either.
    return text
  }
}
