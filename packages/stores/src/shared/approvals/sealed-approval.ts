import type { ApprovalRequest, StoredApproval } from '@capstan/harness/stores'
import type { ApprovalDecision, ApprovalReason, CallId, RunId, ThreadId } from '@capstan/protocol'
import type { KnownThread } from '../ledger/write-rows.ts'
import type { Seal } from '../seal.ts'

/** An approval as it is kept: the question, the answer, and a seal for each. */
export interface ApprovalColumns extends RequestColumns, AnswerColumns {
  readonly seal: Uint8Array
}

/** An answer as it is kept. Without one all are null. */
export interface AnswerColumns {
  readonly decision: ApprovalDecision | null
  readonly decided_at: number | null
  readonly decision_seal: Uint8Array | null
  /** The message that gave the answer. */
  readonly answered_by: string | null
}

/** A question as it is kept. */
export interface RequestColumns {
  readonly id: string
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
}

/** A column cannot hold half a character. */
export function toRequestColumns(
  thread: Pick<KnownThread, 'userId'>,
  request: ApprovalRequest,
): RequestColumns {
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

/** The seal of a question covers everything in it, and whose it is. */
export function requestFields(row: RequestColumns): readonly unknown[] {
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

interface Answer {
  readonly id: string
  readonly decision: ApprovalDecision
  readonly at: number
  readonly messageId: string | undefined
}

/** The columns of an answer to the approval `id`. */
export function toAnswerColumns(seal: Seal, { id, decision, at, messageId }: Answer): AnswerColumns {
  // A column cannot hold half a character.
  const columns = { decision, decided_at: at, answered_by: messageId?.toWellFormed() ?? null }
  return { ...columns, decision_seal: seal.of(answerFields({ id, ...columns })) }
}

type SealedAnswer = Pick<ApprovalColumns, 'id' | 'decision' | 'decided_at' | 'answered_by'>

// Answers of older versions, and those that no message gave, are sealed without one.
const answerFields = (row: SealedAnswer): readonly unknown[] => [
  'decision',
  row.id,
  row.decision,
  row.decided_at,
  ...(row.answered_by === null ? [] : [row.answered_by]),
]

function isIntact(seal: Seal, row: ApprovalColumns): boolean {
  if (!seal.fits(requestFields(row), row.seal)) return false
  const { decision, decided_at: decidedAt, decision_seal: decisionSeal, answered_by: answeredBy } = row
  if (decision === null) return decidedAt === null && decisionSeal === null && answeredBy === null
  return seal.fits(answerFields(row), decisionSeal)
}

/** Reads a row. One whose seals do not fit is not intact. */
export function toApproval(seal: Seal, row: ApprovalColumns): StoredApproval {
  const intact = isIntact(seal, row)
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
