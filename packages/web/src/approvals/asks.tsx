import { memo } from 'react'
import type { ReactElement } from 'react'
import type { Call, Turn } from '../state/thread-state.ts'
import { rootOf } from '../state/thread-state.ts'
import { asksOf } from '../state/turn-view.ts'
import { toolkitName } from '../timeline/toolkit-name.ts'
import { toolkitOf } from '../timeline/toolkit-of.ts'
import { ApprovalCard } from './approval-card.tsx'
import { ConnectCard } from './connect-card.tsx'

/** What a turn asks of the person, at any depth, each for itself. Once the turn is over the timeline tells of it. */
export const Asks = memo(function Asks({ turn }: { readonly turn: Turn }): ReactElement | null {
  const isOver = rootOf(turn).endedAt !== undefined
  if (isOver) return null
  const asks = asksOf(turn)
  if (asks.length === 0) return null
  return (
    <div className="approvals">
      {asks.map((call) => (
        <Ask key={call.key} call={call} turn={turn} />
      ))}
    </div>
  )
})

function Ask({ call, turn }: { readonly call: Call; readonly turn: Turn }): ReactElement | null {
  const { approval, connection, tool } = call
  if (connection) return <ConnectCard connection={connection} call={call} />
  if (!approval) return null
  const where = whereOf(call, turn)
  return (
    <ApprovalCard
      approval={approval}
      tool={tool}
      isGone={call.status !== 'asking'}
      {...(where === undefined ? undefined : { where: toolkitName(where) })}
    />
  )
}

/** The app that a call, or one of the calls above it, works with. */
function whereOf(call: Call, turn: Turn): string | undefined {
  const own = toolkitOf(call)
  if (own !== undefined) return own
  const parent = turn.runs.get(call.runId)?.parent
  if (!parent) return undefined
  const above = turn.runs
    .get(parent.runId)
    ?.iterations.flatMap(({ items }) => items)
    .find((item): item is Call => item.type === 'call' && item.callId === parent.callId)
  return above && whereOf(above, turn)
}
