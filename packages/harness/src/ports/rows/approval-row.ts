import type { ApprovalRow } from '@capstan/protocol'

/** True while an approval can be answered: it has no answer and has not expired. */
export function isPending(
  { decision, expiresAt }: Pick<ApprovalRow, 'decision' | 'expiresAt'>,
  now: number,
): boolean {
  return decision === undefined && now < expiresAt
}
