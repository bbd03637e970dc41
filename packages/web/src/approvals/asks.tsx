import { memo } from 'react'
import type { ReactElement } from 'react'
import type { Call, Turn } from '@capstan/client'
import { appOf, asksOf, rootOf } from '@capstan/client'
import { ApprovalCard } from './approval-card.tsx'
import { ConnectCard } from './connect-card.tsx'

export interface AsksProps {
  readonly turn: Turn
  /** Nothing was asked since. */
  readonly isLast: boolean
}

/**
 * What a turn asks of the person, at any depth, each for itself. Once the turn is over the timeline tells of it; only
 * an app that was not connected can still be.
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

/** An app that was asked for, was not connected, and was not asked for again. */
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
