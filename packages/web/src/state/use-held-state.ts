import type { ThreadSummary } from '@capstan/protocol'
import type { HeldState } from '@capstan/client'
import { useEffect, useState } from 'react'
import { useSettings } from '../settings/settings-context.tsx'
import { useApi, useServerEvent } from '../socket/server-context.tsx'

const NOTHING_HELD: HeldState = {}

/** What is answered in a thread while everything is stopped. The same object until it changes. */
export function useHeldState(threadId: string): HeldState {
  const api = useApi()
  const { settings } = useSettings()
  const isHeld = settings?.held !== undefined
  const [state, setState] = useState<HeldState>(NOTHING_HELD)
  const take = ({ activity, answered }: ThreadSummary): void =>
    setState(
      activity === 'held' ? { activity, ...(answered === undefined ? {} : { answered }) } : NOTHING_HELD,
    )

  useEffect(() => {
    if (!isHeld) return setState(NOTHING_HELD)
    const controller = new AbortController()
    api.thread(threadId, { signal: controller.signal }).then(
      ({ thread }) => take(thread),
      // The page itself shows the problem.
      () => undefined,
    )
    return () => controller.abort()
  }, [api, threadId, isHeld])
  useServerEvent('threads-change', (threads) => {
    const own = threads.find(({ id }) => id === threadId)
    if (own) take(own)
  })
  return state
}
