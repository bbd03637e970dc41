import type { ApprovalDecision } from '@capstan/protocol'
import { toAnswerLine } from '../../rows/audit-line.ts'
import { isPending } from '../../rows/approval-row.ts'
import type { ApprovalStore, StoredApproval } from '../../store.ts'
import type { ApprovalState, Tables } from './tables.ts'

/** The approvals of a store in memory. */
export function createMemoryApprovalStore(open: () => Tables): ApprovalStore {
  const select = (matches: (approval: ApprovalState) => boolean): ApprovalState[] =>
    [...open().approvals.values()]
      .filter(matches)
      .toSorted((a, b) => a.request.createdAt - b.request.createdAt)

  return {
    get(id) {
      const approval = open().approvals.get(id)
      return approval && toStored(approval)
    },
    findByCall(runId, callId) {
      const asked = select(({ request }) => request.runId === runId && request.callId === callId).at(-1)
      return asked && toStored(asked)
    },
    ofRuns(runIds) {
      const ids = new Set(runIds)
      return select(({ request }) => ids.has(request.runId)).map(toStored)
    },
    list({ userId, pending, now, limit }) {
      return select(
        (approval) =>
          approval.userId === userId && (pending === undefined || isOpen(approval, now) === pending),
      )
        .slice(0, limit)
        .map(toStored)
    },
    answer(id, decision, at) {
      const { approvals, alwaysAllowed, audit } = open()
      const approval = approvals.get(id)
      if (!approval) return 'unknown'
      if (approval.decision !== undefined) {
        return approval.decision === 'expired' ? 'expired' : 'already-answered'
      }
      if (!isOpen(approval, at)) {
        settle(approval, 'expired', at)
        return 'expired'
      }
      settle(approval, decision, at)
      audit.push(toAnswerLine({ approval: toStored(approval), userId: approval.userId }, decision, at))
      if (decision === 'allow-always') {
        const tools = alwaysAllowed.get(approval.userId) ?? new Set()
        alwaysAllowed.set(approval.userId, tools.add(approval.request.tool))
      }
      return 'accepted'
    },
    expire(now) {
      const over = select((approval) => approval.decision === undefined && !isOpen(approval, now))
      for (const approval of over) {
        settle(approval, 'expired', now)
        open().audit.push(
          toAnswerLine({ approval: toStored(approval), userId: approval.userId }, 'expired', now),
        )
      }
      return over.map(toStored)
    },
    nextExpiry() {
      let next: number | undefined
      for (const { decision, request } of open().approvals.values()) {
        if (decision === undefined) next = Math.min(next ?? Infinity, request.expiresAt)
      }
      return next
    },
    isAlwaysAllowed: (userId, tool) => open().alwaysAllowed.get(userId)?.has(tool) ?? false,
    listAlwaysAllowed: (userId) => [...(open().alwaysAllowed.get(userId) ?? [])].toSorted(),
    forgetAlwaysAllowed: (userId, tool) => open().alwaysAllowed.get(userId)?.delete(tool) ?? false,
  }
}

const isOpen = ({ decision, request: { expiresAt } }: ApprovalState, now: number): boolean =>
  isPending({ decision, expiresAt }, now)

function settle(approval: ApprovalState, decision: ApprovalDecision, at: number): void {
  approval.decision = decision
  approval.decidedAt = at
}

/** A deep copy: no caller can edit the stored approval, so it is always intact. */
function toStored({ request, decision, decidedAt }: ApprovalState): StoredApproval {
  return {
    ...request,
    arguments: structuredClone(request.arguments),
    ...(decision !== undefined && { decision }),
    ...(decidedAt !== undefined && { decidedAt }),
    isIntact: true,
  }
}
