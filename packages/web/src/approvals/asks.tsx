import { memo } from 'react'
import type { ReactElement } from 'react'
import type { Call, Turn } from '@capstan/client'
import { appOf, asksOf, rootOf } from '@capstan/client'
import { ApprovalCard } from './approval-card.tsx'
import { ConnectCard } from './connect-card.tsx'

export interface AsksProps {
  readonly turn: Turn
  /** No later message follows this turn. */
  readonly isLast: boolean
}

/**
 * A card for each open question of a turn, at any depth. After the turn the timeline shows them; only an app that was
 * not connected keeps its card.
 */
export const Asks = memo(function Asks({ turn, isLast }: AsksProps): ReactElement | null {
  const isOver = rootOf(turn).endedAt !== undefined
  const all = asksOf(turn)
  const asks = isOver ? all.filter((call, index) => isUnmet(call, all.slice(index + 1))) : all
  if (asks.length === 0) return null
  return (
    <div className="approvals">
      {asks.map((call) => (
        <Ask key={call.key} call={call} turn={turn} isLast={isLast} />
      ))}
    </div>
  )
})

/** The last request for an app that was not connected. */
function isUnmet({ connection, status }: Call, later: readonly Call[]): boolean {
  if (!connection || status !== 'failed') return false
  return !later.some((call) => call.connection?.toolkit === connection.toolkit)
}

function Ask({ call, turn, isLast }: AsksProps & { readonly call: Call }): ReactElement | null {
  const { approval, connection, tool } = call
  if (connection) return <ConnectCard connection={connection} call={call} turn={turn} isLast={isLast} />
  if (!approval) return null
  return (
    <ApprovalCard
      approval={approval}
      tool={tool}
      where={appOf(call, turn)?.name}
      isGone={call.status !== 'asking'}
    />
  )
}
