import { useSyncExternalStore } from 'react'

const NARROW = '(width < 48rem)'

/** Whether the window has phone width: then the sidebar is a sheet. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onWidthChange, isNarrow, () => false)
}

function query(): MediaQueryList | undefined {
  return typeof window.matchMedia === 'function' ? window.matchMedia(NARROW) : undefined
}

function isNarrow(): boolean {
  return query()?.matches ?? false
}

function onWidthChange(changed: () => void): () => void {
  const list = query()
  list?.addEventListener('change', changed)
  return () => list?.removeEventListener('change', changed)
}
