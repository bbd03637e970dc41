import type { AuditLine } from '@capstan/protocol'
import { HOLDS_AUDIT } from '../../shared/ledger/page-body.ts'
import type { Database, Query } from '../database/database.ts'
import { insertAuditPage, LostPageError } from './lanes.ts'
import type { Lane, Lanes } from './lanes.ts'

/** Runs the work in one transaction, together with the audit lines that it adds. */
export type AuditedWrite = <Value>(work: AuditedWork<Value>) => Promise<Value>

type AuditedWork<Value> = (query: Query, audit: (...lines: readonly AuditLine[]) => void) => Promise<Value>

export function createAuditedWrite(database: Database, lanes: Lanes): AuditedWrite {
  return async (work) => {
    for (;;) {
      database.refuseIfClosed()
      try {
        // First the lane, then the transaction: one that waits for a lane must not hold locks.
        return await lanes.use((lane) => writeOnce(database, lane, work))
      } catch (error) {
        // Nothing was stored, and that lane is not used again.
        if (!isLostPage(error)) throw error
      }
    }
  }
}

async function writeOnce<Value>(database: Database, lane: Lane, work: AuditedWork<Value>): Promise<Value> {
  const { value, page } = await database.transaction(async (query) => {
    const lines: AuditLine[] = []
    const answer = await work(query, (...added) => void lines.push(...added))
    const written =
      lines.length === 0 ? undefined : await insertAuditPage(query, lane, JSON.stringify(lines), HOLDS_AUDIT)
    return { value: answer, page: written }
  })
  if (page) lane.advance(page)
  return value
}

const isLostPage = (error: unknown): boolean =>
  error instanceof LostPageError || (error as Error).cause instanceof LostPageError
