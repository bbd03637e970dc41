import { useCallback, useMemo } from 'react'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import type { WaitingItem } from './find-waiting.ts'
import { findWaiting } from './find-waiting.ts'

/** What waits for the person, and what they are told. */
export interface Waiting {
  /** `undefined` until it was read. */
  readonly items: readonly WaitingItem[] | undefined
  /** The person has seen these notifications: they leave the list. */
  readonly see: (notificationIds: readonly string[]) => void
}

/** What waits for the person, kept up to date. */
export function useWaiting(): Waiting {
  const api = useApi()
  const { data: asked, reload: readApprovals } = useLoaded('approvals', (signal) => api.approvals({ signal }))
  const { data: apps, reload: readToolkits } = useLoaded('toolkits', (signal) => api.toolkits({ signal }))
  const {
    data: told,
    error: toldProblem,
    reload: readTold,
  } = useLoaded('notifications', (signal) => api.notifications({ signal }))
  useServerEvent('approval-change', readApprovals)
  useServerEvent('thread-remove', readApprovals)
  useServerEvent('connection-change', readToolkits)
  useServerEvent('toolkits-change', readToolkits)
  useServerEvent('jobs-change', readTold)
  const see = useCallback(
    (ids: readonly string[]) => {
      // What was not stored as seen is listed again.
      if (ids.length > 0) api.seeNotifications(ids).then(readTold, readTold)
    },
    [api, readTold],
  )
  const isTold = told !== undefined || toldProblem !== undefined
  const items = useMemo(
    () =>
      asked && apps && isTold ? findWaiting(asked.approvals, apps.toolkits, told?.notifications) : undefined,
    [asked, apps, isTold, told],
  )
  return { items, see }
}
