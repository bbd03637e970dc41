import { useEffect, useState } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useRouter } from '../routing/router.tsx'
import { useThreads } from './threads/threads-context.tsx'

/** Sets the title of the browser tab, with a mark while a turn runs or waits. */
export function useDocumentTitle(): string {
  const t = useT()
  const { route } = useRouter()
  const { list, find } = useThreads()

  const threadId = route.page === 'chat' ? route.threadId : undefined
  const older = useOlderTitle(threadId)
  const thread = threadId === undefined ? undefined : find(threadId)
  const name =
    route.page === 'chat'
      ? (thread?.title ?? older) || t('shell.chat')
      : route.page === 'not-found'
        ? t('shell.notFound.title')
        : t(`shell.${route.page}`)
  const activities = new Set(list.threads.map(({ activity }) => activity))
  const mark = activities.has('waiting') ? '◆ ' : activities.has('running') ? '● ' : ''
  const title = `${mark}${name} · ${t('shell.name')}`

  useEffect(() => {
    document.title = title
  }, [title])
  return name
}

/** The title of a thread that is not in the loaded pages. */
function useOlderTitle(threadId: string | undefined): string | undefined {
  const api = useApi()
  const { isLoading, find } = useThreads()
  const [known, setKnown] = useState<{ readonly threadId: string; readonly title: string }>()
  const isWanted = threadId !== undefined && !isLoading && find(threadId) === undefined
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    api.thread(threadId, { signal: controller.signal }).then(
      ({ thread }) => setKnown({ threadId, title: thread.title }),
      // The page itself shows the problem.
      () => undefined,
    )
    return () => controller.abort()
  }, [api, threadId, isWanted])
  return known?.threadId === threadId ? known?.title : undefined
}
