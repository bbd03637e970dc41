import { useEffect, useRef } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRouter } from '../routing/router.tsx'
import { notificationState, showNotification } from './browser-notifications.ts'
import type { WaitingItem } from './find-waiting.ts'

const TEXTS = {
  approval: 'shell.notifications.approvalWaits',
  account: 'shell.notifications.accountWaits',
  scheduleFailed: 'shell.notifications.scheduleHasFailed',
  triggerEscalated: 'shell.notifications.triggerAsks',
} as const

/** Tells of what is new while the page is in the background. A notification names no contents: others may see the screen. */
export function useNotify(items: readonly WaitingItem[] | undefined): void {
  const t = useT()
  const { navigate } = useRouter()
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!items) return
    const before = known.current
    known.current = new Set(items.map(({ id }) => id))
    if (!before || !document.hidden || notificationState() !== 'on') return
    for (const { id, kind, path } of items) {
      if (!before.has(id)) showNotification(id, t(TEXTS[kind]), () => navigate(path))
    }
  }, [items, t, navigate])
}
