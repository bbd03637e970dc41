import type { ApprovalRow, ConnectionStatus, ToolkitView } from '@capstan/protocol'

/** Something that goes on only when the person acts. */
export interface WaitingItem {
  readonly id: string
  readonly kind: 'approval' | 'account'
  /** The action or the app. Text of others. */
  readonly name: string
  /** The page where the person can act. */
  readonly path: string
}

const BROKEN: ReadonlySet<ConnectionStatus> = new Set(['expired', 'revoked'])

/** What waits for the person: approvals, oldest first, then accounts that must be connected again. */
export function findWaiting(
  approvals: readonly ApprovalRow[],
  toolkits: readonly ToolkitView[],
): readonly WaitingItem[] {
  const asked = approvals
    .filter(({ decision }) => decision === undefined)
    .map(({ id, threadId, label }) => ({
      id: `approval ${id}`,
      kind: 'approval' as const,
      name: label,
      path: `/t/${encodeURIComponent(threadId)}`,
    }))
  const broken = toolkits.flatMap(({ name, connections }) =>
    connections
      .filter(({ status }) => BROKEN.has(status))
      .map(({ id, updatedAt }) => ({
        // An account that expires a second time is told again.
        id: `account ${id} ${updatedAt}`,
        kind: 'account' as const,
        name,
        path: '/connections',
      })),
  )
  return [...asked, ...broken]
}
