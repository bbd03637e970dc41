import type { ApprovalDecision, ApprovalRow, GrantConstraints } from '@capstan/protocol'
import { StoreError } from '../../turn/errors.ts'
import { checkConstraints } from '../../turn/grant/constraints.ts'
import { isGrantable, lifetimeOf } from '../../turn/grant/grant.ts'

/** True while an approval can be answered: it has no answer and has not expired. */
export function isPending(
  { decision, expiresAt }: Pick<ApprovalRow, 'decision' | 'expiresAt'>,
  now: number,
): boolean {
  return decision === undefined && now < expiresAt
}

/**
 * Throws a `StoreError` of kind `invalid` for constraints that cannot narrow a grant for this call. Called before
 * anything is written, so that the approval stays open.
 */
export function checkAnswer(
  { binding, limits }: Pick<ApprovalRow, 'binding' | 'limits'>,
  decision: ApprovalDecision,
  constraints: GrantConstraints | undefined,
): void {
  if (constraints === undefined) return
  const isGrant = lifetimeOf(decision) !== undefined && isGrantable({ ...(binding && { binding }) })
  const problem = isGrant
    ? checkConstraints(constraints, limits)
    : 'Constraints belong to an answer that allows further calls. Leave them out.'
  if (problem !== undefined) throw new StoreError('invalid', problem)
}
