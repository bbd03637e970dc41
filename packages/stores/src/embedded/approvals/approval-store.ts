import { isAlive, isPending, toAnswerLine, toGrantLine } from '@capstan/harness/stores'
import type { ApprovalStore } from '@capstan/harness/stores'
import { settleAnswer } from '../../shared/approvals/settle-answer.ts'
import type { ApprovalRows } from './approval-rows.ts'
import type { GrantRows } from './grant-rows.ts'
import type { Journal } from '../ledger/journal.ts'
import type { StoreAccess } from '../database/store-access.ts'

interface ApprovalStoreParts {
  readonly approvals: ApprovalRows
  readonly grants: GrantRows
  readonly journal: Pick<Journal, 'appendAudit'>
  /** Call after writing, with the approximate size in bytes. */
  readonly changed: (bytes: number) => void
}

/** About what an answer and its line in the audit log take. */
const BYTES_PER_ANSWER = 1_000

export function createApprovalStore(
  { read, write: writeRows }: StoreAccess,
  { approvals: rows, grants, journal, changed }: ApprovalStoreParts,
): ApprovalStore {
  const write = <Result>(work: () => Result): Result => {
    const result = writeRows(work)
    changed(BYTES_PER_ANSWER)
    return result
  }
  return {
    get: (id) => read(() => rows.get(id)?.approval),
    findByCall: (runId, callId) => read(() => rows.findByCall(runId, callId)),
    findByMessage: (threadId, messageId) => read(() => rows.findByMessage(threadId, messageId)),
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
    answer: (id, decision, at, constraints, messageId) =>
      write(() => {
        const found = rows.get(id)
        if (!found) return 'unknown'
        const { userId, thread } = found
        const { receipt, decision: recorded, grant, lines } = settleAnswer(found, decision, at, constraints)
        if (recorded === undefined) return receipt
        rows.decide(id, recorded, at, receipt === 'accepted' ? messageId : undefined)
        if (grant) {
          grants.removeExpired(at)
          grants.put(userId, grant, grant.lifetime === 'thread' ? thread : undefined)
        }
        journal.appendAudit(lines)
        return receipt
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
    findGrants: (userId, tool) => read(() => grants.ofTool(userId, tool)),
    listGrants: (userId, now) => read(() => grants.list(userId).filter((grant) => isAlive(grant, now))),
    revokeGrant: (userId, id, at = Date.now()) =>
      write(() => {
        const grant = grants.list(userId).find((one) => one.id === id)
        const isGone = grants.remove(userId, id)
        if (grant && isGone) journal.appendAudit([toGrantLine('grant-remove', userId, grant, at)])
        return isGone
      }),
  }
}
