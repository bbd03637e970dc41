import { requestFields, toAnswerColumns, toApproval } from '../../shared/approvals/sealed-approval.ts'
import type { ApprovalColumns, RequestColumns } from '../../shared/approvals/sealed-approval.ts'
import { readGrant, toGrantColumns } from '../../shared/approvals/sealed-grant.ts'
import type { GrantColumns } from '../../shared/approvals/sealed-grant.ts'
import { NO_SEAL } from '../copy-table.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'

type ApprovalRow = ApprovalColumns & { readonly no: number; readonly thread: number }

/** Questions and answers whose seals fit are sealed with the key of the new store. */
export const APPROVALS: TableCopy = {
  table: 'approvals',
  columns: {
    no: 'bigint',
    id: 'text',
    thread: 'bigint',
    user_id: 'text',
    run: 'text',
    call: 'text',
    created_at: 'double precision',
    expires_at: 'double precision',
    request: 'text',
    seal: 'bytea',
    decision: 'text',
    decided_at: 'double precision',
    decision_seal: 'bytea',
    answered_by: 'text',
  },
  *rows({ source, keys }) {
    for (const row of rowsOf<ApprovalRow>(source.connection, 'SELECT * FROM approvals ORDER BY no')) {
      const { no, thread, id, user, run, call, created_at, expires_at } = row
      const { decision, decided_at, answered_by } = row
      const { isIntact } = toApproval(source.seal, row)
      const request = toRequest(row)
      const sealed = isIntact ? keys.seal.of(requestFields(request)) : NO_SEAL
      const answer = { id, decision: decision!, at: decided_at!, messageId: answered_by ?? undefined }
      const answerSeal = isIntact ? toAnswerColumns(keys.seal, answer).decision_seal : NO_SEAL
      yield [
        no,
        id,
        thread,
        user,
        run,
        call,
        created_at,
        expires_at,
        JSON.stringify(request),
        sealed,
        decision,
        decided_at,
        decision === null ? null : answerSeal,
        answered_by,
      ]
    }
  },
}

const toRequest = (row: RequestColumns): RequestColumns => ({
  id: row.id,
  thread_id: row.thread_id,
  user: row.user,
  run: row.run,
  call: row.call,
  tool: row.tool,
  label: row.label,
  arguments: row.arguments,
  digest: row.digest,
  signature: row.signature,
  created_at: row.created_at,
  expires_at: row.expires_at,
  terms: row.terms,
  reason: row.reason,
})

interface GrantRow extends GrantColumns {
  readonly tool: string
  readonly thread: number | null
  readonly created_at: number
  readonly expires_at: number | null
}

export const GRANTS: TableCopy = {
  table: 'grants',
  columns: {
    user_id: 'text',
    id: 'text',
    tool: 'text',
    thread: 'bigint',
    created_at: 'double precision',
    expires_at: 'double precision',
    body: 'text',
    seal: 'bytea',
  },
  *rows({ source, keys }) {
    for (const row of rowsOf<GrantRow>(source.connection, 'SELECT * FROM grants')) {
      const { user, id, tool, thread, created_at, expires_at, body } = row
      const [grant] = readGrant(source.seal, row)
      const sealed = grant ? toGrantColumns(keys.seal, user, grant) : { body, seal: NO_SEAL }
      yield [user, id, tool, thread, created_at, expires_at, sealed.body, sealed.seal]
    }
  },
}
