import type { ApprovalDecision, Grant } from '@capstan/protocol'
import { isAlive, toGrant, toRecordedDecision } from '../../../turn/grant/grant.ts'
import { toAnswerLine, toGrantLine } from '../../rows/audit-line.ts'
import { checkAnswer, isPending } from '../../rows/approval-row.ts'
import type { ApprovalStore, StoredApproval } from '../../store.ts'
import type { ApprovalState, Tables } from './tables.ts'

/** The approvals of a store in memory. */
export function createMemoryApprovalStore(open: () => Tables): ApprovalStore {
  const select = (matches: (approval: ApprovalState) => boolean): ApprovalState[] =>
    [...open().approvals.values()]
      .filter(matches)
      .toSorted((a, b) => a.request.createdAt - b.request.createdAt)

  const ofUser = (userId: string): Grant[] =>
    structuredClone([...(open().grants.get(userId)?.values() ?? [])])

  return {
    get(id) {
      const approval = open().approvals.get(id)
      return approval && toStored(approval)
    },
    findByCall(runId, callId) {
      const asked = select(({ request }) => request.runId === runId && request.callId === callId).at(-1)
      return asked && toStored(asked)
    },
    findByMessage(threadId, messageId) {
      const [asked] = select(
        ({ request, answeredBy }) => request.threadId === threadId && answeredBy === messageId,
      )
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
    answer(id, decision, at, constraints, messageId) {
      const { approvals, grants, audit } = open()
      const approval = approvals.get(id)
      if (!approval) return 'unknown'
      if (approval.decision !== undefined) {
        return approval.decision === 'expired' ? 'expired' : 'already-answered'
      }
      if (!isOpen(approval, at)) {
        settle(approval, 'expired', at)
        return 'expired'
      }
      const { request, userId } = approval
      checkAnswer(request, decision, constraints)
      const recorded = toRecordedDecision(request, decision)
      settle(approval, recorded, at)
      if (messageId !== undefined) approval.answeredBy = messageId
      const grant = toGrant(request, decision, at, structuredClone(constraints))
      if (grant) grants.set(userId, (grants.get(userId) ?? new Map<string, Grant>()).set(grant.id, grant))
      audit.push(toAnswerLine({ approval: toStored(approval), userId }, recorded, at))
      if (grant) audit.push(toGrantLine('grant-add', userId, grant, at))
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
    findGrants: (userId, tool) => ofUser(userId).filter((grant) => grant.tool === tool),
    listGrants: (userId, now) =>
      ofUser(userId)
        .filter((grant) => isAlive(grant, now))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    revokeGrant(userId, id, at = Date.now()) {
      const own = open().grants.get(userId)
      const grant = own?.get(id)
      if (!grant) return false
      own?.delete(id)
      open().audit.push(toGrantLine('grant-remove', userId, grant, at))
      return true
    },
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
  const { binding, limits, hidden } = request
  return {
    ...request,
    arguments: structuredClone(request.arguments),
    ...structuredClone({ ...(binding && { binding }), ...(limits && { limits }), ...(hidden && { hidden }) }),
    ...(decision !== undefined && { decision }),
    ...(decidedAt !== undefined && { decidedAt }),
    isIntact: true,
  }
}
