import { useEffect, useRef } from 'react'
import { useServerEvent } from '../socket/server-context.tsx'
import type { Loaded } from '../socket/use-loaded.ts'

/** A sync changes memory many times per second: what is shown is read again at most once in so long. */
const PAUSE_MS = 1_000

/** Reads again when memory changes, at once and then with pauses. A read that is under way is never cut short. */
export function useMemoryChange({ isLoading, reload }: Pick<Loaded<unknown>, 'isLoading' | 'reload'>): void {
  const newest = useRef({ isLoading, reload })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isMissed = useRef(false)
  useEffect(() => {
    newest.current = { isLoading, reload }
  })

  function look(): void {
    timer.current = undefined
    if (!isMissed.current) return
    if (!newest.current.isLoading) {
      isMissed.current = false
      newest.current.reload()
    }
    timer.current = setTimeout(look, PAUSE_MS)
  }

  useServerEvent('memory-change', () => {
    isMissed.current = true
    if (timer.current === undefined) look()
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}
