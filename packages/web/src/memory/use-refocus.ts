import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * For what removes the element that has the focus. After the returned function was called, the target gets the focus as
 * soon as nothing else has it, unless the person pressed somewhere meanwhile.
 */
export function useRefocus(target: RefObject<HTMLElement | null>): () => void {
  const isExpected = useRef(false)
  useEffect(() => {
    if (!isExpected.current || document.activeElement !== document.body) return
    isExpected.current = false
    target.current?.focus()
  })
  return () => {
    isExpected.current = true
    const giveUp = (): void => {
      isExpected.current = false
    }
    window.addEventListener('pointerdown', giveUp, { once: true })
  }
}
