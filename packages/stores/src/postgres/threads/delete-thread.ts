import { toDeleteLine } from '@capstan/harness/stores'
import type { AuditLine, ThreadId } from '@capstan/protocol'
import { EMPTY_BODY, markDeleted, toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import { deleteArtifacts } from '../artifacts/database-artifacts.ts'
import type { Query } from '../database/database.ts'
import { toThread } from './thread-rows.ts'
import type { ThreadColumns } from './thread-rows.ts'

/** Tables with rows that are deleted with their thread. */
const TABLES = ['search', 'runs', 'approvals', 'grants', 'media', 'queue'] as const

/**
 * Deletes a thread with everything in it. Of its pages the numbers and seals stay, so that the audit chains can still be
 * checked; what it cost stays with its user. Answers with the audit line; undefined when there is no such thread.
 */
export async function deleteThread(
  query: Query,
  seal: Seal,
  id: ThreadId,
  at: number,
): Promise<AuditLine | undefined> {
  const [row] = await query<ThreadColumns>('DELETE FROM threads WHERE id = $1 RETURNING *', [id])
  if (!row) return undefined
  const pages = await query<PageRow>(
    `SELECT id, chain, no, sha256(convert_to(body, 'UTF8')) AS hash FROM journal WHERE thread = $1`,
    [row.no],
  )
  const marks = pages.map(({ chain, no, hash }) => Buffer.from(markDeleted(seal, [chain, no], toHex(hash))))
  await query(
    `UPDATE journal SET body = '${EMPTY_BODY}', digest = mark
    FROM unnest($1::bigint[], $2::bytea[]) AS marks(page_id, mark) WHERE id = page_id`,
    [pages.map((page) => page.id), marks],
  )
  for (const table of TABLES) await query(`DELETE FROM ${table} WHERE thread = $1`, [row.no])
  await deleteArtifacts(query, id)
  return toDeleteLine(toThread(row), pages.length, at)
}

interface PageRow {
  readonly id: number
  readonly chain: number
  readonly no: number
  readonly hash: Uint8Array
}
