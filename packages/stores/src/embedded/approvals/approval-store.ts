import { isPending, toAnswerLine } from '@capstan/harness/stores'
import type { ApprovalStore } from '@capstan/harness/stores'
import type { ApprovalRows } from './approval-rows.ts'
import type { AlwaysAllowedRows } from './always-allowed-rows.ts'
import type { Journal } from '../ledger/journal.ts'
import type { StoreAccess } from '../database/store-access.ts'

export function createApprovalStore(
  { read, write }: StoreAccess,
  rows: ApprovalRows,
  alwaysAllowed: AlwaysAllowedRows,
  journal: Pick<Journal, 'appendAudit'>,
): ApprovalStore {
  return {
    get: (id) => read(() => rows.get(id)?.approval),
    findByCall: (runId, callId) => read(() => rows.findByCall(runId, callId)),
    ofRuns: (runIds) =>
      read(() =>
        [...new Set(runIds)]
          .flatMap((runId) => rows.ofRun(runId))
          .toSorted((a, b) => a.createdAt - b.createdAt),
      ),
    list: ({ userId, pending, now, limit }) =>
      read(() =>
        rows
          .list(userId)
          .filter((approval) => pending === undefined || isPending(approval, now) === pending)
          .slice(0, limit),
      ),
    answer: (id, decision, at) =>
      write(() => {
        const found = rows.get(id)
        if (!found) return 'unknown'
        const { approval, userId } = found
        if (approval.isIntact && approval.decision !== undefined) {
          return approval.decision === 'expired' ? 'expired' : 'already-answered'
        }
        if (!approval.isIntact || !isPending(approval, at)) {
          rows.decide(id, 'expired', at)
          journal.appendAudit([toAnswerLine(found, 'expired', at)])
          return 'expired'
        }
        rows.decide(id, decision, at)
        journal.appendAudit([toAnswerLine(found, decision, at)])
        if (decision === 'allow-always') alwaysAllowed.add(userId, approval.tool)
        return 'accepted'
      }),
    expire: (now) =>
      // Called often, and mostly there is nothing to expire: then nothing is written.
      read(() => rows.overdue(now).length) === 0
        ? []
        : write(() => {
            const over = rows.overdue(now)
            for (const { id } of over) rows.decide(id, 'expired', now)
            const lines = over.flatMap(({ id }) => rows.get(id) ?? [])
            journal.appendAudit(lines.map((found) => toAnswerLine(found, 'expired', now)))
            return over.map(({ id }) => rows.get(id)!.approval)
          }),
    nextExpiry: () => read(() => rows.nextExpiry()),
    isAlwaysAllowed: (userId, tool) => read(() => alwaysAllowed.has(userId, tool)),
    listAlwaysAllowed: (userId) => read(() => alwaysAllowed.list(userId)),
    forgetAlwaysAllowed: (userId, tool) => write(() => alwaysAllowed.remove(userId, tool)),
  }
}
