import type { AuditStore } from '../../audit-store.ts'
import { toAuditLine } from '../../rows/audit-line.ts'
import type { Tables } from './tables.ts'

/** The audit log of a store in memory. No other program can change it, so there is nothing to verify. */
export function createMemoryAuditStore(open: () => Tables): AuditStore {
  const lines = () => {
    const { audit, threads } = open()
    const ofThreads = [...threads.values()].flatMap(({ row, pages }) =>
      pages.flat().flatMap((record) => toAuditLine(record, row) ?? []),
    )
    return [...audit, ...ofThreads]
      .toSorted((a, b) => a.at - b.at)
      .map((line, index) => ({ ...line, no: index + 1 }))
  }
  return {
    record(line) {
      open().audit.push(structuredClone(line))
    },
    read: ({ after = 0, limit } = {}) =>
      lines()
        .filter(({ no }) => no > after)
        .slice(0, limit),
    verify: () => ({ ok: true, rows: lines().length, first: 1, problems: [] }),
  }
}
