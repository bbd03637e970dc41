import type { ReactElement } from 'react'
import type { Call, Turn } from '@capstan/client'
import { openFailuresOf, rootOf, toName } from '@capstan/client'
import { CallFailure } from '../timeline/call-failure.tsx'

/** More would bury the answer; the timeline shows all of them. */
const MAX_SHOWN = 3

/** The failures that nothing made good, under the answer they decided. */
export function OpenFailures({ turn }: { readonly turn: Turn }): ReactElement | null {
  const shown = failuresToShow(turn)
  if (shown.length === 0) return null
  return (
    <ul className="chat-failures" role="list">
      {shown.map((call) => (
        <li key={call.key}>
          <p className="chat-failure-name">
            <span dir="auto">{call.label === '' ? toName(call.tool) : call.label}</span>
            {call.detail !== undefined && (
              <span className="chat-failure-detail" dir="auto">
                {call.detail}
              </span>
            )}
          </p>
          {call.failure && <CallFailure call={call} failure={call.failure} turn={turn} />}
        </li>
      ))}
    </ul>
  )
}

/** A turn that did not end by itself has an outcome that explains it: only what may have happened is added. */
function failuresToShow(turn: Turn): readonly Call[] {
  const { outcome } = rootOf(turn)
  if (!outcome) return []
  const isOwnEnd = outcome.type === 'done'
  return openFailuresOf(turn)
    .filter(({ failure, connection }) => !connection && (isOwnEnd || failure?.class === 'interrupted'))
    .slice(-MAX_SHOWN)
}
