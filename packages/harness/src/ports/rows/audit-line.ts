import type { ApprovalDecision, AuditLine, Grant, ThreadRow } from '@capstan/protocol'
import type { LedgerRecord } from '../ledger.ts'
import type { StoredApproval } from '../store.ts'

/** The audit line of a record; undefined for a record that is not audited. */
export function toAuditLine(
  record: LedgerRecord,
  { id: threadId, userId }: Pick<ThreadRow, 'id' | 'userId'>,
): AuditLine | undefined {
  const { at } = record
  if (record.type === 'call-intent') {
    const { runId, callId, tool, effect, digest } = record
    return {
      at,
      userId,
      action: 'call-start',
      threadId,
      runId,
      callId,
      subject: tool,
      facts: { effect, digest },
    }
  }
  if (record.type === 'call-result') {
    const { runId, result, audit } = record
    const { callId, tool, ok, failure, durationMs, outputBytes } = result
    const facts = {
      ...(audit?.effect && { effect: audit.effect }),
      ...(audit && { decision: audit.decision }),
      ok,
      ...(failure && { failure: failure.class }),
      durationMs,
      outputBytes,
      ...(audit?.digest !== undefined && { digest: audit.digest }),
    }
    return { at, userId, action: 'call-end', threadId, runId, callId, subject: tool, facts }
  }
  if (record.type === 'approval-open') {
    const { id, runId, callId, tool, digest } = record.request
    return {
      at,
      userId,
      action: 'approval-request',
      threadId,
      runId,
      callId,
      subject: tool,
      facts: { id, digest },
    }
  }
  return undefined
}

/** The audit line of an answered or expired approval. */
export function toAnswerLine(
  { approval, userId }: { readonly approval: StoredApproval; readonly userId: string },
  decision: ApprovalDecision,
  at: number,
): AuditLine {
  const { id, threadId, runId, callId, tool, digest } = approval
  return {
    at,
    userId,
    action: 'approval-answer',
    threadId,
    runId,
    callId,
    subject: tool,
    facts: { id, decision, digest },
  }
}

/** The audit line of a grant that was given or revoked. */
export const toGrantLine = (
  action: 'grant-add' | 'grant-remove',
  userId: string,
  { id, tool, lifetime }: Grant,
  at: number,
): AuditLine => ({ at, userId, action, subject: tool, facts: { id, lifetime } })

/** The audit line of a deleted thread. `rows`: how many commits it had. */
export const toDeleteLine = (
  { id, userId }: Pick<ThreadRow, 'id' | 'userId'>,
  rows: number,
  at: number,
): AuditLine => ({ at, userId, action: 'thread-delete', threadId: id, facts: { rows } })
