import type { ThreadSummary } from '@capstan/protocol'
import { createContext, use, useMemo } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'
import type { ApiError } from '@capstan/client'
import { useRouter } from '../../routing/router.tsx'
import { emptyList } from './thread-list.ts'
import type { ThreadList } from './thread-list.ts'
import { useThreadActions } from './use-thread-actions.ts'
import { useThreadPages } from './use-thread-pages.ts'

export interface ThreadsState {
  readonly list: ThreadList
  readonly isLoading: boolean
  readonly error: ApiError | undefined
  readonly showArchive: (isArchive: boolean) => void
  readonly loadMore: () => void
  readonly reload: () => void
  readonly rename: (thread: ThreadSummary, title: string) => void
  /** Archiving and removing can be undone for some seconds. */
  readonly archive: (thread: ThreadSummary, isArchived: boolean) => void
  readonly remove: (thread: ThreadSummary) => void
  /** A thread of the loaded pages. */
  readonly find: (threadId: string) => ThreadSummary | undefined
}

const ThreadsContext = createContext<ThreadsState | undefined>(undefined)

export function useThreads(): ThreadsState {
  const threads = use(ThreadsContext)
  if (!threads) throw new Error('There is no ThreadsProvider above this component')
  return threads
}

/** Holds the list of threads for the sidebar and the pages. */
export function ThreadsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const t = useT()
  const { route, navigate } = useRouter()
  const pages = useThreadPages(leave)
  const { list, isLoading, error, setList, read } = pages
  const { hidden, rename, archive, remove } = useThreadActions(pages, leave)

  function leave(threadId: string): void {
    if (route.page === 'chat' && route.threadId === threadId) navigate('/', { replace: true })
  }

  const state = useMemo<ThreadsState>(() => {
    const shown = { ...list, threads: list.threads.filter(({ id }) => !hidden.has(id)) }
    return {
      list: shown,
      isLoading,
      error,
      showArchive: (wanted) => {
        setList(emptyList(wanted))
        void read(wanted)
      },
      loadMore: () => {
        if (list.next !== undefined && !isLoading) void read(list.isArchive, list.next)
      },
      reload: () => void read(list.isArchive),
      rename,
      archive: (thread, isArchived) => void archive(thread, isArchived),
      remove,
      find: (threadId) => list.threads.find(({ id }) => id === threadId),
    }
    // The functions above are new whenever one of these changes.
  }, [list, hidden, isLoading, error, route, t])

  return <ThreadsContext value={state}>{children}</ThreadsContext>
}
