import type { AuditStore } from '@capstan/harness/stores'
import type { NumberedAuditLine, ThreadId } from '@capstan/protocol'
import { linesOfPage } from '../../shared/audit/lines-of-page.ts'
import { HOLDS_AUDIT, HOLDS_CALLS } from '../../shared/ledger/page-body.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Database } from '../database/database.ts'
import type { AuditedWrite } from './audited-write.ts'
import { verifyChains } from './verify-chains.ts'

/** A page with requests for approval, which are audited. */
export const HOLDS_APPROVALS = 16

interface Row {
  readonly no: number
  readonly kinds: number
  readonly body: string
  readonly id: ThreadId | null
  readonly user_id: string
}

const AUDITED = HOLDS_AUDIT | HOLDS_CALLS | HOLDS_APPROVALS
const PAGES_AT_ONCE = 200

/** The audit log: lines are read from the pages of the journal. */
export function createAuditStore(database: Database, write: AuditedWrite, seal: Seal): AuditStore {
  const readPages = (after: number): Promise<Row[]> =>
    database.read<Row>(
      `SELECT journal.id AS no, kinds, body, threads.id, user_id FROM journal LEFT JOIN threads ON threads.no = thread
      WHERE journal.id > $1 AND kinds & ${AUDITED} <> 0 ORDER BY journal.id LIMIT ${PAGES_AT_ONCE}`,
      [after],
    )
  return {
    record: (line) =>
      write(async (_query, audit) => {
        audit(line)
      }),
    async read({ after = 0, limit = Infinity } = {}) {
      const lines: NumberedAuditLine[] = []
      for (let last = after; ;) {
        const pages = await readPages(last)
        for (const { no, kinds, body, id, user_id: userId } of pages) {
          if (lines.length >= limit) return lines
          for (const line of linesOfPage({ kinds, body }, id === null ? undefined : { id, userId }))
            lines.push({ ...line, no })
        }
        if (pages.length < PAGES_AT_ONCE) return lines
        last = pages.at(-1)!.no
      }
    },
    verify: () => database.transaction((query) => verifyChains(query, seal), { isSnapshot: true }),
  }
}
