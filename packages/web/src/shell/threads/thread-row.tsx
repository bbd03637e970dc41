import type { ThreadSummary } from '@capstan/protocol'
import { Archive, ArchiveRestore, Ellipsis, FileDown, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { useThreads } from './threads-context.tsx'

const ACTIVITIES = {
  running: 'shell.running',
  waiting: 'shell.waiting',
  held: 'timeline.held',
} as const

export interface ThreadRowProps {
  readonly thread: ThreadSummary
  readonly isCurrent: boolean
  readonly onGo?: () => void
}

export function ThreadRow({ thread, isCurrent, onGo }: ThreadRowProps): ReactElement {
  const t = useT()
  const api = useApi()
  const threads = useThreads()
  const [isRenaming, setRenaming] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) menuButton.current?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  const title = thread.title || t('shell.threads.untitled')
  /** The element that gets the focus when this row is removed. */
  const neighbour = useRef<HTMLElement>(undefined)
  function rememberNeighbour(): void {
    const links = [...document.querySelectorAll<HTMLElement>('.shell-thread-link')]
    const at = links.findIndex((link) => link.parentElement?.contains(menuButton.current))
    neighbour.current = links[at + 1] ?? links[at - 1]
  }
  const isArchived = thread.archivedAt !== undefined

  if (isRenaming) {
    return (
      <RenameField
        title={thread.title}
        onDone={(changed) => {
          setRenaming(false)
          if (changed !== undefined && changed !== thread.title) threads.rename(thread, changed)
        }}
      />
    )
  }

  return (
    <div className="shell-thread" data-current={isCurrent || undefined}>
      <Link
        className="shell-thread-link"
        to={toPath({ page: 'chat', threadId: thread.id })}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onGo}
        title={title}
      >
        {thread.activity && (
          <>
            <span className="shell-activity" data-activity={thread.activity} aria-hidden="true" />
            <span className="ui-visually-hidden">{t(ACTIVITIES[thread.activity])}</span>{' '}
          </>
        )}
        <span className="shell-thread-title" dir="auto">
          {title}
        </span>
      </Link>
      <Menu
        focusAfter={() => neighbour.current}
        trigger={
          <button
            ref={menuButton}
            type="button"
            className="shell-thread-more"
            aria-label={t('shell.threads.actions', { title })}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </button>
        }
        items={[
          { label: t('shell.threads.rename'), icon: <Pencil />, onSelect: () => setRenaming(true) },
          {
            label: isArchived ? t('shell.threads.unarchive') : t('shell.threads.archive'),
            icon: isArchived ? <ArchiveRestore /> : <Archive />,
            onSelect: () => {
              rememberNeighbour()
              threads.archive(thread, !isArchived)
            },
          },
          {
            label: t('shell.threads.exportMarkdown'),
            icon: <FileDown />,
            onSelect: () => window.location.assign(api.threadExportUrl(thread.id, 'markdown')),
          },
          {
            label: t('shell.threads.delete'),
            icon: <Trash2 />,
            danger: true,
            onSelect: () => {
              rememberNeighbour()
              threads.remove(thread)
            },
          },
        ]}
      />
    </div>
  )
}

/** Enter and leaving the field save the title; Escape does not. An empty title is not saved. */
function RenameField({
  title,
  onDone,
}: {
  readonly title: string
  readonly onDone: (title: string | undefined) => void
}): ReactElement {
  const t = useT()
  const isDone = useRef(false)
  const done = (given: string | undefined): void => {
    // Escape and Enter remove the field, which also causes a blur event.
    if (isDone.current) return
    isDone.current = true
    onDone(given?.trim() || undefined)
  }
  return (
    <input
      // The menu closes first and returns the focus to its button.
      ref={(field) => {
        if (field) setTimeout(() => field.select())
      }}
      className="ui-input shell-rename"
      aria-label={t('shell.threads.renameLabel')}
      defaultValue={title}
      maxLength={200}
      dir="auto"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') done(event.currentTarget.value)
        if (event.key === 'Escape') {
          event.stopPropagation()
          event.preventDefault()
          done(undefined)
        }
      }}
      onBlur={(event) => done(event.currentTarget.value)}
    />
  )
}
