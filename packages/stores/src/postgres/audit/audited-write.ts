import type { AuditLine } from '@capstan/protocol'
import { HOLDS_AUDIT } from '../../shared/ledger/page-body.ts'
import type { Database, Query } from '../database/database.ts'
import { insertAuditPage } from './lanes.ts'
import type { Lanes } from './lanes.ts'

/** Runs the work in one transaction, together with the audit lines that it adds. */
export type AuditedWrite = <Value>(
  work: (query: Query, audit: (...lines: readonly AuditLine[]) => void) => Promise<Value>,
) => Promise<Value>

export function createAuditedWrite(database: Database, lanes: Lanes): AuditedWrite {
  return async (work) => {
    database.refuseIfClosed()
    // First the lane, then the transaction: one that waits for a lane must not hold locks.
    return lanes.use(async (lane) => {
      const { value, page } = await database.transaction(async (query) => {
        const lines: AuditLine[] = []
        const answer = await work(query, (...added) => void lines.push(...added))
        const written =
          lines.length === 0
            ? undefined
            : await insertAuditPage(query, lane, JSON.stringify(lines), HOLDS_AUDIT)
        return { value: answer, page: written }
      })
      if (page) lane.advance(page)
      return value
    })
  }
}
