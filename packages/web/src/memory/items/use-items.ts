import type { ApiClient } from '@capstan/client'
import { ApiError } from '@capstan/client'
import type { MemoryItemRow, MemoryPage } from '@capstan/protocol'
import { useRef, useState } from 'react'
import { useApi } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import type { Source } from '../source.ts'
import { keyOf } from '../source.ts'
import { useMemoryChange } from '../use-memory-change.ts'

const PAGE_ITEMS = 50
const MAX_REQUEST = 200

export interface Items extends Loaded<MemoryPage> {
  readonly isLoadingMore: boolean
  readonly moreError: unknown
  readonly loadMore: () => void
}

/** The items of a source, newest first, page by page, kept up to date. As many as were shown are read again. */
export function useItems(source: Source): Items {
  const api = useApi()
  const key = keyOf(source)
  const shown = useRef({ key, count: PAGE_ITEMS })
  const [more, setMore] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false })
  const loaded = useLoaded(`memory items ${key}`, (signal) => {
    if (shown.current.key !== key) shown.current = { key, count: PAGE_ITEMS }
    return readItems(api, source, shown.current.count, signal)
  })
  useMemoryChange(loaded)
  const { data, setData, reload } = loaded
  const newest = useRef(data)
  newest.current = data

  async function loadMore(): Promise<void> {
    const last = data?.items.at(-1)
    if (!last || more.isBusy) return
    setMore({ isBusy: true })
    try {
      const page = await api.memoryItems({ ...source, after: last.id, limit: PAGE_ITEMS })
      const before = newest.current?.items ?? []
      // What was read again meanwhile may have ended elsewhere.
      if (before.at(-1)?.id === last.id) {
        const items = [...before, ...page.items]
        shown.current = { key, count: items.length }
        setData({ items, hasMore: page.hasMore })
      }
      setMore({ isBusy: false })
    } catch (error) {
      // The last item was forgotten meanwhile.
      const isGone = error instanceof ApiError && error.code === 'not_found'
      setMore(isGone ? { isBusy: false } : { isBusy: false, error })
      if (isGone) reload()
    }
  }

  return { ...loaded, isLoadingMore: more.isBusy, moreError: more.error, loadMore: () => void loadMore() }
}

/** At least so many items, if there are. Begins anew when an item at the end of a page was forgotten meanwhile. */
async function readItems(
  api: ApiClient,
  source: Source,
  count: number,
  signal: AbortSignal,
  isAgain = false,
): Promise<MemoryPage> {
  const items: MemoryItemRow[] = []
  try {
    for (;;) {
      const after = items.at(-1)?.id
      const limit = Math.min(MAX_REQUEST, count - items.length)
      const page = await api.memoryItems({ ...source, ...(after !== undefined && { after }), limit, signal })
      items.push(...page.items)
      if (!page.hasMore || items.length >= count) return { items, hasMore: page.hasMore }
    }
  } catch (error) {
    if (isAgain || !(error instanceof ApiError) || error.code !== 'not_found') throw error
    return readItems(api, source, count, signal, true)
  }
}
