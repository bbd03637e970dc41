import type { AuditLog, AuditRow } from './audit-log.ts'

/** Keeps the newest rows as long as the process lives. */
export function createMemoryAuditLog(maxRows = 10_000): AuditLog & { readonly rows: readonly AuditRow[] } {
  const rows: AuditRow[] = []
  return {
    rows,
    record(row) {
      rows.push(row)
      if (rows.length > maxRows) rows.splice(0, rows.length - maxRows)
    },
  }
}
