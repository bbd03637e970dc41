import type { StoredApproval } from '@capstan/harness/stores'
import type { CallId, RunId } from '@capstan/protocol'
import { toApproval } from '../../shared/approvals/sealed-approval.ts'
import type { AnswerColumns, RequestColumns } from '../../shared/approvals/sealed-approval.ts'
import type { Seal } from '../../shared/seal.ts'

/** A row of `approvals`. */
export interface ApprovalColumns extends AnswerColumns {
  readonly id: string
  readonly thread: number
  readonly user_id: string
  readonly run: RunId
  readonly call: CallId
  readonly created_at: number
  readonly expires_at: number
  readonly request: string
  readonly seal: Uint8Array
}

/** Reads a row. The columns it is found by count, and not their copies in the request: the seal covers them. */
export function readApproval(seal: Seal, row: ApprovalColumns): StoredApproval {
  const { id, user_id: user, run, call, created_at, expires_at } = row
  const { seal: written, decision, decided_at, decision_seal, answered_by } = row
  const request = { ...readRequest(row.request), id, user, run, call, created_at, expires_at }
  return toApproval(seal, { ...request, seal: written, decision, decided_at, decision_seal, answered_by })
}

function readRequest(text: string): RequestColumns {
  try {
    return JSON.parse(text) as RequestColumns
  } catch {
    // Edited into something that is no JSON: the seal does not fit either.
    return { ...BLANK, arguments: text }
  }
}

const BLANK = {
  thread_id: '',
  tool: '',
  label: '',
  digest: '',
  signature: '',
  terms: null,
  reason: null,
} as unknown as RequestColumns
