import { Archive, ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useConnectionState } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useRouter } from '../../routing/router.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { groupByDay } from './thread-list.ts'
import type { DayGroup } from './thread-list.ts'
import { ThreadRow } from './thread-row.tsx'
import { useThreads } from './threads-context.tsx'

/** The list of conversations, grouped by day. */
export function ThreadNav({ onGo }: { readonly onGo?: () => void }): ReactElement {
  const t = useT()
  const reason = useReason()
  const { route } = useRouter()
  const isSignedOut = useConnectionState() === 'signed-out'
  const { list, isLoading, error, loadMore, reload, showArchive } = useThreads()
  const current = route.page === 'chat' ? route.threadId : undefined
  const nameOf = useGroupName()

  return (
    <nav className="shell-threads" aria-label={t('shell.threads.label')}>
      {list.isArchive && (
        <div className="shell-archive-head">
          <h2>{t('shell.threads.archived')}</h2>
          <Button
            variant="quiet"
            size="sm"
            icon={<ArrowLeft className="ui-mirrored" aria-hidden="true" />}
            onClick={() => showArchive(false)}
          >
            {t('shell.threads.back')}
          </Button>
        </div>
      )}
      {groupByDay(list.threads, Date.now()).map((group) => (
        <section key={nameOf(group)}>
          <h3 className="shell-day">{nameOf(group)}</h3>
          <ul role="list">
            {group.threads.map((thread) => (
              <li key={thread.id}>
                <ThreadRow thread={thread} isCurrent={thread.id === current} onGo={onGo} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isLoading && list.threads.length === 0 && <Skeleton lines={5} />}
      {error && error.code !== 'signed_out' && (
        <div className="shell-threads-note" role="alert">
          <p>{t('shell.threads.failed')}</p>
          <p>{reason(error)}</p>
          <Button size="sm" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {!isLoading && !error && list.threads.length === 0 && (
        <p className="shell-threads-note">
          {t(list.isArchive ? 'shell.threads.emptyArchived' : 'shell.threads.empty')}
        </p>
      )}
      {list.next !== undefined && <MoreButton busy={isLoading} onMore={loadMore} />}
      {!list.isArchive && !isLoading && !isSignedOut && (
        <Button
          className="shell-archive-button"
          variant="quiet"
          size="sm"
          icon={<Archive aria-hidden="true" />}
          onClick={() => showArchive(true)}
        >
          {t('shell.threads.showArchived')}
        </Button>
      )}
    </nav>
  )
}

/** Loads the next page when it comes into view or is pressed. */
function MoreButton({ busy, onMore }: { readonly busy: boolean; readonly onMore: () => void }): ReactElement {
  const t = useT()
  const ref = useRef<HTMLDivElement>(null)
  const newest = useRef(onMore)
  useEffect(() => {
    newest.current = onMore
  })
  useEffect(() => {
    if (!ref.current || busy || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) newest.current()
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [busy])
  return (
    <div ref={ref}>
      <Button variant="quiet" size="sm" busy={busy} onClick={onMore}>
        {t('shell.threads.more')}
      </Button>
    </div>
  )
}

function useGroupName(): (group: DayGroup) => string {
  const t = useT()
  const format = useFormatters()
  return (group) => (group.kind === 'month' ? format.month(group.month) : t(`shell.threads.${group.kind}`))
}
