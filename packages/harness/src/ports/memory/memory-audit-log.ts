import type { AuditLog, AuditRow } from '../audit-log.ts'

/** Keeps the newest rows, at least `keep` of them, as long as the process lives. */
export function createMemoryAuditLog(keep = 10_000): AuditLog & { readonly rows: readonly AuditRow[] } {
  const rows: AuditRow[] = []
  return {
    rows,
    record(row) {
      rows.push(row)
      // Rarely and many at once: shifting on every row would cost more than the row.
      if (rows.length >= keep * 2) rows.splice(0, keep)
    },
  }
}
