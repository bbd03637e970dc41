import type { ThreadSummary } from '@capstan/protocol'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { ApiError } from '@capstan/client'
import { useApi, useConnectionState, useServerEvent } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { useRouter } from '../ui/router.tsx'
import { useToast } from '../ui/toast.tsx'
import { addPage, applyThread, emptyList, removeThread } from './thread-list.ts'
import type { ThreadList } from './thread-list.ts'

export interface ThreadsState {
  readonly list: ThreadList
  readonly isLoading: boolean
  readonly error: ApiError | undefined
  readonly showArchive: (isArchive: boolean) => void
  readonly loadMore: () => void
  readonly reload: () => void
  readonly rename: (thread: ThreadSummary, title: string) => void
  /** Both can be undone for a while. */
  readonly archive: (thread: ThreadSummary, isArchived: boolean) => void
  readonly remove: (thread: ThreadSummary) => void
  /** A thread that is shown, if it is in what was read. */
  readonly find: (threadId: string) => ThreadSummary | undefined
}

const ThreadsContext = createContext<ThreadsState | undefined>(undefined)

export function useThreads(): ThreadsState {
  const threads = use(ThreadsContext)
  if (!threads) throw new Error('There is no ThreadsProvider above this component')
  return threads
}

const PAGE = 40

export function ThreadsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const api = useApi()
  const t = useT()
  const toast = useToast()
  const words = useReason()
  const { route, navigate } = useRouter()
  const connection = useConnectionState()
  const [list, setList] = useState(() => emptyList(false))
  /** Deleted here and still to be undone: not shown, and not gone. */
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<ApiError>()
  const reading = useRef<AbortController>(undefined)

  const read = useCallback(
    async (isArchive: boolean, before?: number) => {
      reading.current?.abort()
      const controller = new AbortController()
      reading.current = controller
      setLoading(true)
      try {
        const page = await api.threads({
          limit: PAGE,
          signal: controller.signal,
          ...(isArchive ? { archived: true } : {}),
          ...(before === undefined ? {} : { before }),
        })
        if (controller.signal.aborted) return
        setList((known) => addPage(before === undefined ? emptyList(isArchive) : known, page))
        setError(undefined)
      } catch (reason) {
        if (controller.signal.aborted) return
        setError(
          reason instanceof ApiError
            ? reason
            : new ApiError({ code: 'internal', message: 'The list could not be read.' }, reason),
        )
      }
      setLoading(false)
    },
    [api],
  )

  const { isArchive } = list
  useEffect(() => {
    void read(false)
    return () => reading.current?.abort()
  }, [read])

  const wasAway = useRef(false)
  useEffect(() => {
    if (connection === 'offline' || connection === 'signed-out') wasAway.current = true
    if (connection !== 'online' || !wasAway.current) return
    wasAway.current = false
    void read(isArchive)
  }, [connection, read, isArchive])

  useServerEvent('threads-change', (threads) => setList((known) => threads.reduce(applyThread, known)))
  useServerEvent('thread-remove', (threadId) => {
    setList((known) => removeThread(known, threadId))
    leave(threadId)
  })

  function leave(threadId: string): void {
    if (route.page === 'chat' && route.threadId === threadId) navigate('/', { replace: true })
  }

  function hide(threadId: string, isHidden: boolean): void {
    setHidden((before) => {
      const after = new Set(before)
      if (isHidden) after.add(threadId)
      else after.delete(threadId)
      return after
    })
  }

  const say = (reason: unknown): void => {
    toast({ text: t('shell.threads.changeFailed', { reason: words(reason) }), tone: 'fail' })
  }
  const titleOf = (thread: ThreadSummary): string => thread.title || t('shell.threads.untitled')

  function rename(thread: ThreadSummary, title: string): void {
    setList((known) => applyThread(known, { ...thread, title }))
    api.changeThread(thread.id, { title }).then(
      (changed) => setList((known) => applyThread(known, changed)),
      (reason: unknown) => {
        setList((known) => applyThread(known, thread))
        say(reason)
      },
    )
  }

  async function setArchived(thread: ThreadSummary, archived: boolean): Promise<boolean> {
    try {
      const changed = await api.changeThread(thread.id, { archived })
      setList((known) => applyThread(known, changed))
      return true
    } catch (reason) {
      say(reason)
      return false
    }
  }

  async function archive(thread: ThreadSummary, isArchived: boolean): Promise<void> {
    if (!(await setArchived(thread, isArchived))) return
    const text = isArchived ? 'shell.threads.archivedToast' : 'shell.threads.unarchivedToast'
    toast({
      text: t(text, { title: titleOf(thread) }),
      onUndo: () => void setArchived(thread, !isArchived),
    })
  }

  function remove(thread: ThreadSummary): void {
    hide(thread.id, true)
    leave(thread.id)
    toast({
      text: t('shell.threads.deletedToast', { title: titleOf(thread) }),
      onUndo: () => hide(thread.id, false),
      onGone: () => {
        api.deleteThread(thread.id).then(
          () => setList((known) => removeThread(known, thread.id)),
          (reason: unknown) => {
            hide(thread.id, false)
            say(reason)
          },
        )
      },
    })
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
    // The functions use what is newest whenever one of these changes.
  }, [list, hidden, isLoading, error, route, t])

  return <ThreadsContext value={state}>{children}</ThreadsContext>
}
