import { useEffect } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRouter } from '../ui/router.tsx'
import { useThreads } from './threads-context.tsx'

/** Names the page in the tab, and marks a tab where something works or waits. */
export function useDocumentTitle(): string {
  const t = useT()
  const { route } = useRouter()
  const { list, find } = useThreads()

  const thread = route.page === 'chat' && route.threadId !== undefined ? find(route.threadId) : undefined
  const name =
    route.page === 'chat'
      ? thread?.title || t('shell.chat')
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
