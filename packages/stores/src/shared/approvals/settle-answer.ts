import {
  checkAnswer,
  isPending,
  toAnswerLine,
  toGrant,
  toGrantLine,
  toRecordedDecision,
} from '@capstan/harness/stores'
import type { StoredApproval } from '@capstan/harness/stores'
import type {
  AnswerReceipt,
  ApprovalDecision,
  AuditLine,
  GivenAnswer,
  Grant,
  GrantConstraints,
} from '@capstan/protocol'

/** What an answer changes. */
export interface SettledAnswer {
  readonly receipt: AnswerReceipt
  /** Absent: the answer came too late, and nothing is written. */
  readonly decision?: ApprovalDecision
  readonly grant?: Grant
  readonly lines: readonly AuditLine[]
}

/**
 * Decides what an answer to an approval does; see `ApprovalStore.answer`. Throws a `StoreError` of kind `invalid` for
 * constraints that do not narrow it.
 */
export function settleAnswer(
  found: { readonly approval: StoredApproval; readonly userId: string },
  given: GivenAnswer | 'withdrawn',
  at: number,
  constraints: GrantConstraints | undefined,
): SettledAnswer {
  const { approval, userId } = found
  if (approval.isIntact && approval.decision !== undefined) {
    return { receipt: approval.decision === 'expired' ? 'expired' : 'already-answered', lines: [] }
  }
  if (!approval.isIntact || !isPending(approval, at)) {
    return { receipt: 'expired', decision: 'expired', lines: [toAnswerLine(found, 'expired', at)] }
  }
  checkAnswer(approval, given, constraints)
  const decision = toRecordedDecision(approval, given)
  const grant = toGrant(approval, given, at, constraints)
  const granted = grant ? [toGrantLine('grant-add', userId, grant, at)] : []
  return {
    receipt: 'accepted',
    decision,
    ...(grant && { grant }),
    lines: [toAnswerLine(found, decision, at), ...granted],
  }
}
