import { ArrowDown } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import type { Outbox, OutboxItem } from '../state/outbox.ts'
import type { CallTarget } from '../state/thread-scope.ts'
import type { ThreadView } from '@capstan/client'
import { Button } from '../ui/controls/button.tsx'
import { Answer } from './answer.tsx'
import { toRows } from './message-rows.ts'
import { OutboxMessage } from './outbox-message.tsx'
import { useFollowingList } from './use-following-list.ts'
import { UserMessage } from './user-message.tsx'

export interface MessageListProps {
  readonly state: ThreadView
  readonly items: readonly OutboxItem[]
  readonly outbox: Outbox
  readonly onEdit: (item: OutboxItem) => void
  readonly onAnswer: (text: string) => void
  /** What a link points to: a call, or a whole turn. */
  readonly target?: CallTarget
  readonly runId?: string
}

/**
 * The conversation. Only rows that can be seen are drawn. The list follows new rows while the reader is at the end, and
 * does not move while they read elsewhere.
 */
export function MessageList(props: MessageListProps): ReactElement {
  const { state, items, outbox, onEdit, onAnswer, target, runId } = props
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => toRows(state.turns, items), [state.turns, items])
  const { list, isAtEnd, handlers } = useFollowingList({
    scroller,
    rows,
    linked: { target, runId },
    newest: items.at(-1)?.messageId,
  })

  const last = state.turns.at(-1)
  return (
    <div className="chat-list">
      <div
        ref={scroller}
        className="chat-scroller"
        tabIndex={0}
        role="region"
        aria-label={t('chat.messages')}
        {...handlers}
      >
        <div className="chat-canvas" style={{ blockSize: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index]
            return (
              row && (
                <div
                  key={item.key}
                  ref={list.measureElement}
                  data-index={item.index}
                  className="chat-row"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {row.type === 'user' && <UserMessage turn={row.turn} />}
                  {row.type === 'answer' && (
                    <Answer
                      turn={row.turn}
                      isLast={row.turn === last && items.length === 0}
                      onAnswer={onAnswer}
                    />
                  )}
                  {row.type === 'outbox' && (
                    <OutboxMessage
                      item={row.item}
                      onRetry={() => outbox.retry(row.item.messageId)}
                      onEdit={() => onEdit(row.item)}
                      onDiscard={() => void outbox.remove(row.item.messageId)}
                    />
                  )}
                </div>
              )
            )
          })}
        </div>
      </div>
      {!isAtEnd && (
        <div className="chat-newest">
          <Button size="sm" icon={<ArrowDown aria-hidden="true" />} onClick={() => list.scrollToEnd()}>
            {t('chat.newest')}
          </Button>
        </div>
      )}
    </div>
  )
}
