import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactElement, UIEvent } from 'react'
import { useT } from '../i18n/use-t.ts'
import type { Outbox, OutboxItem } from '../state/outbox.ts'
import type { CallTarget } from '../state/thread-scope.ts'
import type { ThreadView, Turn } from '@capstan/client'
import { holds } from '../timeline/timeline.tsx'
import { Button } from '../ui/button.tsx'
import { Answer } from './answer.tsx'
import { OutboxMessage } from './outbox-message.tsx'
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

type Row =
  | { readonly type: 'user' | 'answer'; readonly turn: Turn }
  | { readonly type: 'outbox'; readonly item: OutboxItem }

/** How near to the end still counts as being there. */
const END_PX = 96

/**
 * The conversation. Only what can be seen is drawn. It follows what is new while its reader is at the end, and stands
 * still where they read when they are not.
 */
export function MessageList(props: MessageListProps): ReactElement {
  const { state, items, outbox, onEdit, onAnswer, target, runId } = props
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => toRows(state.turns, items), [state.turns, items])
  const [isAtEnd, setAtEnd] = useState(true)
  const { isHeld, hold } = useHold()
  const follow = useRef({ isOn: true, top: 0 })

  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'answer' ? 180 : 84),
    getItemKey: (index) => keyOf(rows[index]),
    overscan: 4,
    anchorTo: isHeld ? 'start' : 'end',
    followOnAppend: 'auto',
    scrollEndThreshold: END_PX,
    onChange: (instance) => setAtEnd(instance.isAtEnd(END_PX)),
  })

  // Where a reader begins: at what a link points to, or at the end.
  const isPlaced = useRef(false)
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    isPlaced.current = true
    const index = indexOfLink(rows, target, runId)
    follow.current.isOn = index === -1
    if (index === -1) list.scrollToEnd()
    else list.scrollToIndex(index, { align: 'start' })
  }, [rows, target, runId, list])

  // What one sends oneself is always shown.
  const newest = items.at(-1)?.messageId
  useEffect(() => {
    if (newest === undefined) return
    follow.current.isOn = true
    list.scrollToEnd()
  }, [newest, list])

  // Whoever was at the end stays there, whatever grows: the list, or the composer below it.
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const total = list.getTotalSize()
  useLayoutEffect(() => {
    if (!follow.current.isOn || !isPlaced.current || isHeld) return
    if (list.getDistanceFromEnd() > 1) list.scrollToEnd()
  }, [rows, total, height, isHeld, list])

  function onScroll({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent): void {
    const isNear = scrollHeight - scrollTop - clientHeight <= END_PX
    if (isNear) follow.current.isOn = true
    else if (scrollTop < follow.current.top) follow.current.isOn = false
    follow.current.top = scrollTop
  }

  // The browser's own way to the top gives up where rows are measured on the way.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    follow.current.isOn = event.key === 'End'
    if (event.key === 'End') list.scrollToEnd()
    else list.scrollToIndex(0, { align: 'start' })
  }

  const last = state.turns.at(-1)
  return (
    <div className="chat-list">
      <div
        ref={scroller}
        className="chat-scroller"
        tabIndex={0}
        role="region"
        aria-label={t('chat.messages')}
        onClickCapture={(event) => {
          if (!(event.target instanceof Element) || !event.target.closest('[aria-expanded]')) return
          follow.current.isOn = false
          hold()
        }}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
      >
        <div className="chat-canvas" style={{ blockSize: total }}>
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

/** How long it takes until what was opened is drawn and measured. */
const HOLD_MS = 400

/** What somebody opens grows below their pointer, also at the end, where the list would otherwise follow its last line. */
function useHold(): { readonly isHeld: boolean; readonly hold: () => void } {
  const [presses, setPresses] = useState(0)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (presses === 0) return
    const timer = setTimeout(() => setHeld(false), HOLD_MS)
    return () => clearTimeout(timer)
  }, [presses])
  return {
    isHeld,
    hold: () => {
      setHeld(true)
      setPresses((count) => count + 1)
    },
  }
}

function toRows(turns: readonly Turn[], items: readonly OutboxItem[]): readonly Row[] {
  const rows: Row[] = []
  for (const turn of turns) rows.push({ type: 'user', turn }, { type: 'answer', turn })
  for (const item of items) rows.push({ type: 'outbox', item })
  return rows
}

function keyOf(row: Row | undefined): string {
  if (!row) return ''
  return row.type === 'outbox' ? row.item.messageId : `${row.type}:${row.turn.runId}`
}

function indexOfLink(
  rows: readonly Row[],
  target: CallTarget | undefined,
  runId: string | undefined,
): number {
  if (!target && runId === undefined) return -1
  return rows.findIndex(
    (row) =>
      row.type === 'answer' &&
      (target ? holds(row.turn, target) : [...row.turn.runs.keys()].some((id) => id === runId)),
  )
}
