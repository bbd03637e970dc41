import { toAnswerLine } from '@capstan/harness/stores'
import type { ApprovalStore, StoredApproval } from '@capstan/harness/stores'
import type { ApprovalDecision } from '@capstan/protocol'
import { toAnswerColumns } from '../../shared/approvals/sealed-approval.ts'
import { settleAnswer } from '../../shared/approvals/settle-answer.ts'
import type { Seal } from '../../shared/seal.ts'
import type { AuditedWrite } from '../audit/audited-write.ts'
import type { Database, Query } from '../database/database.ts'
import { readApproval } from './approval-rows.ts'
import type { ApprovalColumns } from './approval-rows.ts'
import { createGrants, putGrant } from './grants.ts'

export function createApprovalStore(database: Database, write: AuditedWrite, seal: Seal): ApprovalStore {
  const find = async (rest: string, values: readonly unknown[]): Promise<StoredApproval[]> =>
    (await database.read<ApprovalColumns>(`SELECT * FROM approvals ${rest}`, values)).map((row) =>
      readApproval(seal, row),
    )
  const decide = async (
    query: Query,
    id: string,
    decision: ApprovalDecision,
    at: number,
    messageId?: string,
  ): Promise<StoredApproval> => {
    const { decision_seal, answered_by } = toAnswerColumns(seal, { id, decision, at, messageId })
    const [row] = await query<ApprovalColumns>(
      `UPDATE approvals SET decision = $2, decided_at = $3, decision_seal = $4, answered_by = $5
      WHERE id = $1 RETURNING *`,
      [id, decision, at, decision_seal, answered_by],
    )
    return readApproval(seal, row!)
  }

  return {
    get: async (id) => (await find('WHERE id = $1', [id]))[0],
    findByCall: async (runId, callId) =>
      (
        await find('WHERE run = $1 AND call = $2 ORDER BY created_at DESC, no DESC LIMIT 1', [runId, callId])
      )[0],
    async findByMessage(threadId, messageId) {
      const [approval] = await find(
        'WHERE thread = (SELECT no FROM threads WHERE id = $1) AND answered_by = $2 LIMIT 1',
        [threadId, messageId],
      )
      return approval
    },
    ofRuns: (runIds) => find('WHERE run = ANY($1) ORDER BY created_at, no', [[...runIds]]),
    list: ({ userId, pending = null, now, limit = null }) =>
      find(
        `WHERE user_id = $1 AND ($2::boolean IS NULL OR (decision IS NULL AND expires_at > $3) = $2)
        ORDER BY created_at, no LIMIT $4`,
        [userId, pending, now, limit],
      ),
    answer: (id, given, at, constraints, messageId) =>
      write(async (query, audit) => {
        const [row] = await query<ApprovalColumns>('SELECT * FROM approvals WHERE id = $1 FOR UPDATE', [id])
        if (!row) return 'unknown'
        const found = { approval: readApproval(seal, row), userId: row.user_id }
        const { receipt, decision, grant, lines } = settleAnswer(found, given, at, constraints)
        if (decision === undefined) return receipt
        await decide(query, id, decision, at, receipt === 'accepted' ? messageId : undefined)
        if (grant) {
          await query('DELETE FROM grants WHERE expires_at <= $1', [at])
          await putGrant(
            query,
            seal,
            row.user_id,
            grant,
            grant.lifetime === 'thread' ? row.thread : undefined,
          )
        }
        audit(...lines)
        return receipt
      }),
    async expire(now) {
      // Called often, and mostly there is nothing to expire: then nothing is written.
      const overdue = 'decision IS NULL AND expires_at <= $1'
      if ((await database.read(`SELECT FROM approvals WHERE ${overdue} LIMIT 1`, [now])).length === 0)
        return []
      return write(async (query, audit) => {
        // Those that another node is answering or expiring are its.
        const rows = await query<ApprovalColumns>(
          `SELECT * FROM approvals WHERE ${overdue} ORDER BY created_at, no FOR UPDATE SKIP LOCKED`,
          [now],
        )
        const over: StoredApproval[] = []
        for (const { id, user_id: userId } of rows) {
          const approval = await decide(query, id, 'expired', now)
          over.push(approval)
          audit(toAnswerLine({ approval, userId }, 'expired', now))
        }
        return over
      })
    },
    async nextExpiry() {
      const [row] = await database.read<{ at: number | null }>(
        'SELECT min(expires_at) AS at FROM approvals WHERE decision IS NULL',
      )
      return row?.at ?? undefined
    },
    ...createGrants(database, write, seal),
  }
}
