import { useCallback, useEffect, useRef, useState } from 'react'
import type { Dispatch, SetStateAction } from 'react'
import { ApiError } from '@capstan/client'
import { useApi, useOnline, useServerEvent } from '../../socket/server-context.tsx'
import { addPage, applyThread, emptyList, removeThread } from './thread-list.ts'
import type { ThreadList } from './thread-list.ts'

/** The loaded pages of the thread list, and how to load more. */
export interface ThreadPages {
  readonly list: ThreadList
  readonly isLoading: boolean
  readonly error: ApiError | undefined
  readonly setList: Dispatch<SetStateAction<ThreadList>>
  /** Reads the first page, or the page before a point in time. A newer read cancels an older one. */
  readonly read: (isArchive: boolean, before?: number) => Promise<void>
}

type Change = (list: ThreadList) => ThreadList

const PAGE = 40

/** Reads the list, applies server events to it, and reads it again when the connection comes online. */
export function useThreadPages(onRemoved: (threadId: string) => void): ThreadPages {
  const api = useApi()
  const [list, setList] = useState(() => emptyList(false))
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<ApiError>()
  const reading = useRef<AbortController>(undefined)
  // A page may have been read before an update that overtakes it.
  const sinceRead = useRef<Change[]>([])

  const read = useCallback(
    async (isArchive: boolean, before?: number) => {
      reading.current?.abort()
      const controller = new AbortController()
      reading.current = controller
      sinceRead.current = []
      setLoading(true)
      try {
        const page = await api.threads({
          limit: PAGE,
          signal: controller.signal,
          ...(isArchive ? { archived: true } : {}),
          ...(before === undefined ? {} : { before }),
        })
        if (controller.signal.aborted) return
        const changes = [...sinceRead.current]
        setList((known) => {
          const pages = addPage(before === undefined ? emptyList(isArchive) : known, page)
          return changes.reduce((result, change) => change(result), pages)
        })
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

  useOnline(() => void read(isArchive))

  function apply(change: Change): void {
    sinceRead.current.push(change)
    setList(change)
  }
  useServerEvent('threads-change', (threads) => apply((known) => threads.reduce(applyThread, known)))
  useServerEvent('thread-remove', (threadId) => {
    apply((known) => removeThread(known, threadId))
    onRemoved(threadId)
  })

  return { list, isLoading, error, setList, read }
}
