import type { AuditStore } from '@capstan/harness/stores'
import type { NumberedAuditLine } from '@capstan/protocol'
import { linesOfPage } from '../../shared/audit/lines-of-page.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Connection } from '../database/connection.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { Journal } from '../ledger/journal.ts'
import type { ThreadRows } from '../threads/thread-rows.ts'
import { verifyChain } from './verify-chain.ts'

interface AuditParts {
  readonly connection: Connection
  readonly journal: Journal
  readonly threads: ThreadRows
  readonly seal: Seal
}

/** The audit log: lines are read from the pages of the journal, which form a chain. */
export function createAuditStore({ read, write }: StoreAccess, parts: AuditParts): AuditStore {
  const { connection, journal, threads, seal } = parts
  return {
    record(line) {
      write(() => void journal.appendAudit([line]))
    },
    read: ({ after = 0, limit = Infinity } = {}) =>
      read(() => {
        const lines: NumberedAuditLine[] = []
        journal.visitAll(after, (page) => {
          if (lines.length >= limit) return false
          for (const line of linesOfPage(page, threads.byNo(page.thread)))
            lines.push({ ...line, no: page.id })
          return true
        })
        return lines
      }),
    verify: () => read(() => verifyChain(connection, seal)),
  }
}
