import { useVirtualizer } from '@tanstack/react-virtual'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, RefObject, UIEvent } from 'react'
import type { CallTarget } from '../state/thread-scope.ts'
import type { MessageRow } from './message-rows.ts'
import { indexOfLink, keyOf } from './message-rows.ts'

export interface FollowingList {
  readonly list: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly isAtEnd: boolean
  /** For the element that scrolls. */
  readonly handlers: {
    readonly onClickCapture: (event: MouseEvent) => void
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onScroll: (event: UIEvent) => void
  }
}

/** How near to the end still counts as being there. */
const END_PX = 96

/** A list that draws only what can be seen and follows its end while the reader is there. */
export function useFollowingList({
  scroller,
  rows,
  linked,
  newest,
}: {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rows: readonly MessageRow[]
  readonly linked: { readonly target: CallTarget | undefined; readonly runId: string | undefined }
  /** The newest message that was sent from this page. */
  readonly newest: string | undefined
}): FollowingList {
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

  // A reader begins at the row that a link points to, or at the end.
  const isPlaced = useRef(false)
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return
    isPlaced.current = true
    const index = indexOfLink(rows, linked.target, linked.runId)
    follow.current.isOn = index === -1
    if (index === -1) list.scrollToEnd()
    else list.scrollToIndex(index, { align: 'start' })
  }, [rows, linked.target, linked.runId, list])

  // A message that the reader sends is always shown.
  useEffect(() => {
    if (newest === undefined) return
    follow.current.isOn = true
    list.scrollToEnd()
  }, [newest, list])

  // A reader at the end stays there when the list or the composer below it grows.
  const height = useHeight(scroller)
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

  // The browser's own scroll to the top stops early because rows are measured on the way.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    follow.current.isOn = event.key === 'End'
    if (event.key === 'End') list.scrollToEnd()
    else list.scrollToIndex(0, { align: 'start' })
  }

  // A row that is opened grows below the pointer, also at the end.
  function onClickCapture(event: MouseEvent): void {
    if (!(event.target instanceof Element) || !event.target.closest('[aria-expanded]')) return
    follow.current.isOn = false
    hold()
  }

  return { list, isAtEnd, handlers: { onClickCapture, onKeyDown, onScroll } }
}

function useHeight(scroller: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return height
}

/** How long it takes until an opened row is drawn and measured. */
const HOLD_MS = 400

/** Stops the list from following its last line for a moment. */
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
