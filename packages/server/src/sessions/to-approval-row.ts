import type { ApprovalRow } from '@capstan/protocol'

/** Without the fields that only the harness may see. */
export function toApprovalRow(row: ApprovalRow): ApprovalRow {
  const { id, threadId, runId, callId, tool, label, digest, createdAt, expiresAt } = row
  const { binding, limits, hidden, reason, decision, decidedAt } = row
  return {
    id,
    threadId,
    runId,
    callId,
    tool,
    label,
    arguments: row.arguments,
    digest,
    ...(binding && { binding }),
    ...(limits && { limits }),
    ...(hidden && { hidden }),
    createdAt,
    expiresAt,
    ...(reason === undefined ? undefined : { reason }),
    ...(decision === undefined ? undefined : { decision }),
    ...(decidedAt === undefined ? undefined : { decidedAt }),
  }
}
