import { useEffect, useState } from 'react'
import { useApi } from '../socket/server-context.tsx'
import type { Turn } from '@capstan/client'

/** Stops exactly the turn that is shown: a late press must not end the next turn. */
export function useStop(
  threadId: string,
  turn: Turn | undefined,
): { readonly stop: () => void; readonly isStopping: boolean } {
  const api = useApi()
  const [stopping, setStopping] = useState<string>()
  const runId = turn?.runId
  useEffect(() => {
    setStopping((one) => (one === runId ? one : undefined))
  }, [runId])
  return {
    isStopping: runId !== undefined && stopping === runId,
    stop: () => {
      if (runId === undefined || stopping === runId) return
      setStopping(runId)
      api.stopTurn(threadId, { runId }).catch(() => setStopping(undefined))
    },
  }
}
