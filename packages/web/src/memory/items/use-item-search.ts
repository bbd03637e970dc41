import type { ApiError } from '@capstan/client'
import type { MemoryHitRow } from '@capstan/protocol'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import type { Source } from '../source.ts'
import { keyOf } from '../source.ts'
import { useMemoryChange } from '../use-memory-change.ts'

/** How long typing must pause before the server is asked. */
const PAUSE_MS = 160
const MAX_HITS = 30

interface Found {
  readonly query: string
  readonly hits: readonly MemoryHitRow[]
}

export interface ItemSearch {
  /** Of the newest answer, also while the next one is awaited. Absent while nothing is searched for. */
  readonly found: Found | undefined
  readonly error: ApiError | undefined
  readonly isSearching: boolean
  readonly reload: () => void
}

/** Searches memory while a person types, and again when it changes. An answer to an older query is dropped. */
export function useItemSearch(query: string, source: Source): ItemSearch {
  const api = useApi()
  const wanted = query.trim()
  const asked = usePaused(wanted)
  const loaded = useLoaded(`memory search ${keyOf(source)} ${asked}`, async (signal) =>
    asked === ''
      ? undefined
      : { query: asked, ...(await api.searchMemory(asked, { ...source, limit: MAX_HITS, signal })) },
  )
  useMemoryChange(loaded)
  const last = useRef<Found>(undefined)
  if (loaded.data) last.current = loaded.data
  if (wanted === '' || loaded.error) last.current = undefined
  return {
    found: last.current,
    error: wanted === '' ? undefined : loaded.error,
    isSearching: wanted !== '' && (asked !== wanted || loaded.isLoading),
    reload: loaded.reload,
  }
}

/** The text once typing has paused. An empty one counts at once. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    if (text === '') {
      setPaused('')
      return
    }
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : paused
}
