import type { TriggerAction, TriggerPage, TriggerRow } from '@capstan/protocol'
import { useEffect, useState } from 'react'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'

const PAGE_SIZE = 25

/** Which triggers are shown. An empty text: all. */
export interface ActivityFilter {
  readonly source: string
  readonly action: TriggerAction | ''
}

/** The triggers that were read so far, newest first. The first page follows the server. */
export interface Activity extends Pick<Loaded<TriggerPage>, 'error' | 'reload'> {
  /** Undefined until the first page was read. */
  readonly rows: readonly TriggerRow[] | undefined
  /** Absent at the end of the list. */
  readonly loadMore?: () => void
  readonly isLoadingMore: boolean
  /** Why the last page could not be read. */
  readonly moreProblem: string | undefined
}

export function useActivity({ source, action }: ActivityFilter): Activity {
  const api = useApi()
  const toReason = useReason()
  const query = {
    limit: PAGE_SIZE,
    ...(source === '' ? undefined : { source }),
    ...(action === '' ? undefined : { action }),
  }
  const key = `activity ${source} ${action}`
  const first = useLoaded(key, (signal) => api.triggers({ ...query, signal }))
  const [older, setOlder] = useState<readonly TriggerPage[]>([])
  const [more, setMore] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({ isBusy: false })
  useServerEvent('jobs-change', first.reload)
  useEffect(() => {
    setOlder([])
    setMore({ isBusy: false })
  }, [key])

  async function loadMore(after: string): Promise<void> {
    setMore({ isBusy: true })
    try {
      const page = await api.triggers({ ...query, after })
      setOlder((known) => [...known, page])
      setMore({ isBusy: false })
    } catch (error) {
      setMore({ isBusy: false, problem: toReason(error) })
    }
  }

  const pages = first.data ? [first.data, ...older] : []
  const next = pages.at(-1)?.next
  return {
    rows: first.data && joinRows(pages),
    error: first.error,
    reload: first.reload,
    isLoadingMore: more.isBusy,
    moreProblem: more.problem,
    ...(next !== undefined && { loadMore: () => void loadMore(next) }),
  }
}

/** Each trigger once, as it was read last: one that moved to the next page is on both. */
function joinRows(pages: readonly TriggerPage[]): readonly TriggerRow[] {
  const rows = new Map<string, TriggerRow>()
  for (const { triggers } of pages) for (const row of triggers) if (!rows.has(row.id)) rows.set(row.id, row)
  return [...rows.values()]
}
