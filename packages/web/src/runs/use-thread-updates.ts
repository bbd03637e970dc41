import { useEffect, useRef } from 'react'
import { useServerEvent } from '../socket/server-context.tsx'

const COLLECT_MS = 800

/** Calls `changed` after the server reports an update of a thread, of any thread or of one. Updates within a moment are one call. */
export function useThreadUpdates(changed: () => void, threadId?: string): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const newest = useRef(changed)
  useEffect(() => {
    newest.current = changed
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const schedule = (changedThread: string): void => {
    if ((threadId !== undefined && changedThread !== threadId) || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      newest.current()
    }, COLLECT_MS)
  }
  useServerEvent('threads-change', (threads) => {
    for (const { id } of threads) schedule(id)
  })
  useServerEvent('thread-remove', schedule)
  useServerEvent('approval-change', (approval) => schedule(approval.threadId))
}
