import { isAlive, toGrantLine } from '@capstan/harness/stores'
import type { ApprovalStore } from '@capstan/harness/stores'
import type { Grant } from '@capstan/protocol'
import { readGrant, toGrantColumns } from '../../shared/approvals/sealed-grant.ts'
import type { GrantColumns } from '../../shared/approvals/sealed-grant.ts'
import type { Seal } from '../../shared/seal.ts'
import type { AuditedWrite } from '../audit/audited-write.ts'
import type { Database, Query } from '../database/database.ts'

/** `user` is a word of SQL. */
const COLUMNS = 'user_id AS user, id, body, seal'

/** Grants of users. A row with a wrong seal counts for nothing. */
export function createGrants(
  database: Database,
  write: AuditedWrite,
  seal: Seal,
): Pick<ApprovalStore, 'findGrants' | 'listGrants' | 'revokeGrant'> {
  const find = async (rest: string, values: readonly unknown[]): Promise<Grant[]> =>
    (await database.read<GrantColumns>(`SELECT ${COLUMNS} FROM grants ${rest}`, values)).flatMap((row) =>
      readGrant(seal, row),
    )
  return {
    findGrants: (userId, tool) => find('WHERE user_id = $1 AND tool = $2', [userId, tool]),
    listGrants: async (userId, now) =>
      (await find('WHERE user_id = $1 ORDER BY created_at, id', [userId])).filter((grant) =>
        isAlive(grant, now),
      ),
    revokeGrant: (userId, id, at = Date.now()) =>
      write(async (query, audit) => {
        const [row] = await query<GrantColumns>(
          `DELETE FROM grants WHERE user_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
          [userId, id],
        )
        const [grant] = row ? readGrant(seal, row) : []
        if (grant) audit(toGrantLine('grant-remove', userId, grant, at))
        return grant !== undefined
      }),
  }
}

/** `thread` is the number of the conversation it lasts for, if it lasts for one. */
export async function putGrant(
  query: Query,
  seal: Seal,
  userId: string,
  grant: Grant,
  thread: number | undefined,
): Promise<void> {
  const { tool, createdAt, expiresAt = null } = grant
  const { user, id, body, seal: written } = toGrantColumns(seal, userId, grant)
  await query(
    `INSERT INTO grants (user_id, id, tool, thread, created_at, expires_at, body, seal)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (user_id, id) DO UPDATE SET tool = excluded.tool,
    thread = excluded.thread, created_at = excluded.created_at, expires_at = excluded.expires_at,
    body = excluded.body, seal = excluded.seal`,
    [user, id, tool, thread ?? null, createdAt, expiresAt, body, written],
  )
}
