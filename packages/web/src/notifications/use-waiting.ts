import { useMemo } from 'react'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import type { WaitingItem } from './find-waiting.ts'
import { findWaiting } from './find-waiting.ts'

/** What waits for the person, kept up to date. `undefined` until it was read. */
export function useWaiting(): readonly WaitingItem[] | undefined {
  const api = useApi()
  const { data: asked, reload: readApprovals } = useLoaded('approvals', (signal) => api.approvals({ signal }))
  const { data: apps, reload: readToolkits } = useLoaded('toolkits', (signal) => api.toolkits({ signal }))
  useServerEvent('approval-change', readApprovals)
  useServerEvent('thread-remove', readApprovals)
  useServerEvent('connection-change', readToolkits)
  useServerEvent('toolkits-change', readToolkits)
  return useMemo(() => asked && apps && findWaiting(asked.approvals, apps.toolkits), [asked, apps])
}
