import type { QueueMode } from '@capstan/protocol'
import { useEffect, useState } from 'react'
import { useSettings } from '../settings/settings-context.tsx'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { useT } from '../i18n/use-t.ts'
import { useToast } from '../ui/overlays/toast.tsx'

/** The queue mode of a thread, and how to change it. A change that fails is taken back, and a toast says why. */
export function useQueueMode(threadId: string): [QueueMode, (mode: QueueMode) => void] {
  const api = useApi()
  const t = useT()
  const toast = useToast()
  const words = useReason()
  const { settings } = useSettings()
  const [own, setOwn] = useState<QueueMode>()

  useEffect(() => {
    const controller = new AbortController()
    api.thread(threadId, { signal: controller.signal }).then(
      ({ thread }) => setOwn(thread.queueMode),
      // The page itself shows the problem.
      () => undefined,
    )
    return () => controller.abort()
  }, [api, threadId])
  useServerEvent('threads-change', (threads) => {
    const changed = threads.find(({ id }) => id === threadId)
    if (changed) setOwn(changed.queueMode)
  })

  function change(queueMode: QueueMode): void {
    setOwn(queueMode)
    api.changeThread(threadId, { queueMode }).catch((reason: unknown) => {
      setOwn(own)
      toast({ text: t('shell.threads.changeFailed', { reason: words(reason) }), tone: 'fail' })
    })
  }
  return [own ?? settings?.queueMode ?? 'one-by-one', change]
}
