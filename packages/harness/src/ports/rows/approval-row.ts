import type { ApprovalRow } from '@capstan/protocol'

/** True while an approval can be answered: nobody has, and it has not expired. */
export function isPending(
  { decision, expiresAt }: Pick<ApprovalRow, 'decision' | 'expiresAt'>,
  now: number,
): boolean {
  return decision === undefined && now < expiresAt
}
