import type { AuditCheck, AuditLine, NumberedAuditLine } from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/**
 * The audit log of an installation, only ever appended to. Calls and approvals enter it with the commit that records
 * them. Deleting a thread deletes its words and leaves the lines that say that it was deleted.
 */
export interface AuditStore {
  /** Adds a line. When it returns (or settles), a process that is killed does not lose it. */
  record(line: AuditLine): MaybePromise<void>
  /**
   * Lines in the order they were committed: whole commits with a number above `after`, at least `limit` lines if there
   * are.
   */
  read(query?: {
    readonly after?: number
    readonly limit?: number
  }): MaybePromise<readonly NumberedAuditLine[]>
  /** Checks every row. A row that was edited, removed, added or moved outside of the store is a problem. */
  verify(): MaybePromise<AuditCheck>
}
