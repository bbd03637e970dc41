import type { ThreadSearchHit } from '@capstan/protocol'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../socket/server-context.tsx'

interface Found {
  readonly query: string
  readonly hits: readonly ThreadSearchHit[]
  readonly error?: unknown
}

export interface ThreadSearch {
  readonly query: string
  readonly setQuery: (query: string) => void
  /** The newest answer; absent while nothing is searched for. */
  readonly shown: Found | undefined
  readonly isSearching: boolean
}

/** How long typing must pause before the server is asked. */
const PAUSE_MS = 160

/** Searches threads while a person types. An answer to an older query is dropped. */
export function useThreadSearch(onHits: () => void): ThreadSearch {
  const api = useApi()
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found>()
  const wanted = query.trim()
  const newest = useRef(onHits)
  newest.current = onHits

  useEffect(() => {
    if (wanted === '') return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      api.searchThreads(wanted, { limit: 30, signal: controller.signal }).then(
        ({ hits }) => {
          if (controller.signal.aborted) return
          setFound({ query: wanted, hits })
          newest.current()
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setFound({ query: wanted, hits: [], error })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, wanted])

  return {
    query,
    setQuery,
    shown: wanted === '' ? undefined : found,
    isSearching: wanted !== '' && found?.query !== wanted,
  }
}
