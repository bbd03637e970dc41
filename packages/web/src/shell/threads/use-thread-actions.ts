import type { ThreadSummary } from '@capstan/protocol'
import { useState } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { useToast } from '../../ui/overlays/toast.tsx'
import { applyThread, removeThread } from './thread-list.ts'
import type { ThreadPages } from './use-thread-pages.ts'

/** What a person can do with a thread. Nothing throws: a failure is shown as a toast and undone in the list. */
export interface ThreadActions {
  /** Deleted on this page while "Undo" is still offered: not shown, and not deleted on the server. */
  readonly hidden: ReadonlySet<string>
  readonly rename: (thread: ThreadSummary, title: string) => void
  readonly archive: (thread: ThreadSummary, isArchived: boolean) => Promise<void>
  readonly remove: (thread: ThreadSummary) => void
}

export function useThreadActions(
  { setList }: ThreadPages,
  onRemoved: (threadId: string) => void,
): ThreadActions {
  const api = useApi()
  const t = useT()
  const toast = useToast()
  const words = useReason()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  function hide(threadId: string, isHidden: boolean): void {
    setHidden((before) => {
      const after = new Set(before)
      if (isHidden) after.add(threadId)
      else after.delete(threadId)
      return after
    })
  }

  const showFailure = (reason: unknown): void => {
    toast({ text: t('shell.threads.changeFailed', { reason: words(reason) }), tone: 'fail' })
  }
  const titleOf = (thread: ThreadSummary): string => thread.title || t('shell.threads.untitled')

  function rename(thread: ThreadSummary, title: string): void {
    setList((known) => applyThread(known, { ...thread, title }))
    api.changeThread(thread.id, { title }).then(
      (changed) => setList((known) => applyThread(known, changed)),
      (reason: unknown) => {
        setList((known) => applyThread(known, thread))
        showFailure(reason)
      },
    )
  }

  async function setArchived(thread: ThreadSummary, archived: boolean): Promise<boolean> {
    try {
      const changed = await api.changeThread(thread.id, { archived })
      setList((known) => applyThread(known, changed))
      return true
    } catch (reason) {
      showFailure(reason)
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
    onRemoved(thread.id)
    toast({
      text: t('shell.threads.deletedToast', { title: titleOf(thread) }),
      onUndo: () => hide(thread.id, false),
      onGone: () => {
        api.deleteThread(thread.id).then(
          () => setList((known) => removeThread(known, thread.id)),
          (reason: unknown) => {
            hide(thread.id, false)
            showFailure(reason)
          },
        )
      },
    })
  }

  return { hidden, rename, archive, remove }
}
