import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import type { Call, Turn } from '@capstan/client'
import { openAsksOf, rootOf, statusOf } from '@capstan/client'

/** Announces to a screen reader that the turn runs, asks, or is done. Never reads each word. */
export function Announcer({ turn }: { readonly turn: Turn | undefined }): ReactElement {
  const words = useWords(turn)
  const [announced, setAnnounced] = useState('')
  const before = useRef(words)
  useEffect(() => {
    // The state at the time the page was opened is not announced.
    if (before.current === words) return
    before.current = words
    setAnnounced(words)
  }, [words])
  return (
    <div className="ui-visually-hidden" role="status" aria-live="polite">
      {announced}
    </div>
  )
}

function useWords(turn: Turn | undefined): string {
  const t = useT()
  if (!turn) return ''
  const status = statusOf(turn)
  if (status === 'running') return t('chat.live.started')
  if (status === 'held') return t('timeline.held')
  if (status === 'waiting')
    return [
      t('chat.live.waiting'),
      ...openAsksOf(turn).map((call: Call) =>
        call.connection
          ? t('approvals.connect.announce', { name: call.connection.name })
          : t('approvals.announce', { label: call.approval?.label ?? call.label }),
      ),
    ].join(' ')
  switch (rootOf(turn).outcome?.type) {
    case 'failed':
      return t('chat.live.failed')
    case 'aborted':
      return t('chat.live.stopped')
    case 'needs-input':
      return t('chat.live.waiting')
    case 'done':
    case 'halted':
    case 'capped':
    case undefined:
      return t('chat.live.done')
  }
}
