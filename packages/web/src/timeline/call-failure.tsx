import type { Failure } from '@capstan/protocol'
import type { ReactElement } from 'react'
import type { Call, Turn } from '@capstan/client'
import { appOf, rootOf, wasConnectedSince } from '@capstan/client'
import { stageOf } from '../i18n/use-failure-words.ts'
import { useThreadScope } from '../state/thread-scope.ts'
import { FailureLines } from './failure-lines.tsx'

/** Why a call failed, and the button for the next step. */
export function CallFailure({
  call,
  failure,
  turn,
}: {
  readonly call: Call
  readonly failure: Failure
  readonly turn: Turn
}): ReactElement {
  const { askAgain } = useThreadScope()
  const { outcome } = rootOf(turn)
  return (
    <FailureLines
      failure={failure}
      stage={stageOf(outcome?.type ?? 'running')}
      app={appOf(call, turn)}
      isSettled={wasConnectedSince(call, turn)}
      onRetry={outcome && askAgain ? () => askAgain(turn) : undefined}
    />
  )
}
