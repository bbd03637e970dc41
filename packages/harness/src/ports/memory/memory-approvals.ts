import type { AnswerReceipt, ApprovalDecision, GivenAnswer, Grant, GrantConstraints } from '@capstan/protocol'
import type { Clock } from '../../turn/clock.ts'
import { systemClock } from '../../turn/clock.ts'
import { grantCovers, isAlive, toGrant, toRecordedDecision } from '../../turn/grant/grant.ts'
import { checkAnswer } from '../rows/approval-row.ts'
import type { ApprovalAnswer, ApprovalGate, ApprovalRequest } from '../approval-gate.ts'

/** An approval gate in memory, with its own way to answer. */
export interface MemoryApprovals extends ApprovalGate {
  /** Requests without an answer, oldest first. */
  pending(): readonly ApprovalRequest[]
  /** The first answer counts. The receipt of a late or second answer says so; it changes nothing. */
  answer(id: string, decision: GivenAnswer, constraints?: GrantConstraints): AnswerReceipt
  /** Grants that have not expired. */
  grants(): readonly Grant[]
  /** False when there is no such grant. */
  revokeGrant(id: string): boolean
}

interface Row {
  readonly request: ApprovalRequest
  readonly answered: PromiseWithResolvers<ApprovalAnswer>
  decision: ApprovalDecision | undefined
}

/** So many are kept, to distinguish a late answer from one for an unknown request. */
const MAX_ROWS = 1_000

function forgetOldestAnswered(rows: Map<string, Row>): void {
  for (const [id, { decision }] of rows) {
    if (decision === undefined) continue
    rows.delete(id)
    return
  }
}

/** Approvals that live as long as the process. Ten minutes to answer, then it is a refusal. */
export function createMemoryApprovals({
  timeoutMs = 600_000,
  clock = systemClock,
}: { readonly timeoutMs?: number; readonly clock?: Clock } = {}): MemoryApprovals {
  const rows = new Map<string, Row>()
  const grants = new Map<string, Grant>()

  function settle(row: Row, decision: ApprovalDecision): void {
    row.decision = decision
    row.answered.resolve({ decision, digest: row.request.digest })
  }

  return {
    timeoutMs,
    findGrant: (call, query) => [...grants.values()].find((grant) => grantCovers(grant, call, query)),
    grants: () => [...grants.values()].filter((grant) => isAlive(grant, clock.now())),
    revokeGrant: (id) => grants.delete(id),
    async open(request) {
      rows.set(request.id, { request, answered: Promise.withResolvers(), decision: undefined })
      if (rows.size > MAX_ROWS) forgetOldestAnswered(rows)
    },
    async wait(id, { signal }) {
      const row = rows.get(id)
      if (!row) return { decision: 'expired', digest: '' }
      const expire = () => {
        if (row.decision === undefined) settle(row, 'expired')
      }
      const disarm = clock.after(Math.max(0, row.request.expiresAt - clock.now()), expire)
      signal.addEventListener('abort', expire, { once: true })
      if (signal.aborted) expire()
      try {
        return await row.answered.promise
      } finally {
        disarm()
        signal.removeEventListener('abort', expire)
      }
    },
    pending: () =>
      [...rows.values()].filter((row) => row.decision === undefined).map(({ request }) => request),
    answer(id, decision, constraints) {
      const row = rows.get(id)
      if (!row) return 'unknown'
      if (row.decision !== undefined) return row.decision === 'expired' ? 'expired' : 'already-answered'
      checkAnswer(row.request, decision, constraints)
      const grant = toGrant(row.request, decision, clock.now(), constraints)
      if (grant) grants.set(grant.id, grant)
      settle(row, toRecordedDecision(row.request, decision))
      return 'accepted'
    },
  }
}
