import type { ReactElement } from 'react'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { Button } from '../ui/controls/button.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'

export interface OutboxMessageProps {
  readonly item: OutboxItem
  readonly onRetry: () => void
  readonly onEdit: () => void
  readonly onDiscard: () => void
}

/** A message that the thread does not contain yet. A failed one can be sent again, edited or discarded. */
export function OutboxMessage({ item, onRetry, onEdit, onDiscard }: OutboxMessageProps): ReactElement {
  const t = useT()
  const isStuck = item.status === 'failed' || item.status === 'unread'
  return (
    <article className="chat-user" data-pending={!isStuck || undefined} aria-label={t('chat.you')}>
      <div className="chat-bubble" data-stuck={isStuck || undefined}>
        {item.attachments.length > 0 && (
          <p className="chat-added">{item.attachments.map(({ name }) => name).join(', ')}</p>
        )}
        <p dir="auto">{item.text}</p>
      </div>
      <div className="chat-outbox" role="status">
        <Status item={item} />
        {isStuck && (
          <>
            <Button size="sm" onClick={onRetry}>
              {t('chat.outbox.retry')}
            </Button>
            <Button size="sm" variant="quiet" onClick={onEdit}>
              {t('chat.outbox.edit')}
            </Button>
            <Button size="sm" variant="quiet" onClick={onDiscard}>
              {t('chat.outbox.discard')}
            </Button>
          </>
        )}
      </div>
    </article>
  )
}

function Status({ item }: { readonly item: OutboxItem }): ReactElement | null {
  const t = useT()
  const words = useProblemWords()
  switch (item.status) {
    case 'sending':
      return (
        <span>
          <Spinner /> {t('chat.outbox.sending')}
        </span>
      )
    case 'retrying':
      return (
        <span>
          <Spinner /> {t('chat.outbox.retrying')}
        </span>
      )
    case 'accepted':
      if (item.runId) return null
      return <span>{t(item.mode === 'steer' ? 'chat.outbox.steering' : 'chat.outbox.queued')}</span>
    case 'unread':
      return <span>{t('chat.outbox.not-read')}</span>
    case 'failed':
      return (
        <span className="chat-problem">
          {t('chat.outbox.failed')} {item.problem && words(item.problem)}
        </span>
      )
  }
}
