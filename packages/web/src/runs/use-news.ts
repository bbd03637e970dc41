import { useEffect, useRef } from 'react'
import { useServerEvent } from '../socket/server-context.tsx'

const GATHER_MS = 800

/** Calls `changed` after something happened in a thread, or in this one: once for what comes within a moment. */
export function useNews(changed: () => void, threadId?: string): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const newest = useRef(changed)
  useEffect(() => {
    newest.current = changed
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const hear = (heard: string): void => {
    if ((threadId !== undefined && heard !== threadId) || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      newest.current()
    }, GATHER_MS)
  }
  useServerEvent('threads-change', (threads) => {
    for (const { id } of threads) hear(id)
  })
  useServerEvent('thread-remove', hear)
  useServerEvent('approval-change', (approval) => hear(approval.threadId))
}
