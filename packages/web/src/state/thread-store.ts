import type { EventPage, TurnEvent } from '@capstan/protocol'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'
import type { Outbox, OutboxItem } from './outbox.ts'
import type { ThreadView } from '@capstan/client'

/** What a screen draws of a thread. The same object until something changes. */
export interface ThreadSnapshot {
  readonly state: ThreadView
  /** `unknown`: there is no such thread, or it belongs to somebody else. `failed`: it could not be loaded; try again. */
  readonly phase: 'loading' | 'ready' | 'unknown' | 'failed'
  readonly outbox: readonly OutboxItem[]
}

/** An open thread: loaded over HTTP first, then followed over the socket. */
export interface ThreadStore {
  readonly snapshot: () => ThreadSnapshot
  /** For `useSyncExternalStore`. The first listener opens the thread, the last one closes it; what was read is kept. */
  readonly subscribe: (listener: () => void) => () => void
  readonly reload: () => void
  readonly outbox: Outbox
}

export interface ThreadStoreOptions {
  readonly loadPage: (after: number, signal: AbortSignal) => Promise<EventPage>
  readonly isUnknown: (error: unknown) => boolean
  /** Delivers every event after a number, without a gap and without a repeat. The result stops it. */
  readonly watch: (after: number, onEvent: (event: TurnEvent) => void, onUnknown: () => void) => () => void
  readonly createOutbox: (onChange: () => void) => Outbox
  /** Calls once, before the next frame. */
  readonly schedule?: (work: () => void) => void
}

export function createThreadStore(options: ThreadStoreOptions): ThreadStore {
  const { loadPage, isUnknown, watch, schedule = beforeNextFrame } = options
  const listeners = new Set<() => void>()
  const outbox = options.createOutbox(() => {
    // A receipt may come after all events of its turn.
    outbox.settle(current.state)
    publish({})
  })
  let current: ThreadSnapshot = { state: EMPTY_THREAD, phase: 'loading', outbox: outbox.items }
  let waiting: TurnEvent[] = []
  let close: (() => void) | undefined

  function publish(change: Partial<ThreadSnapshot>): void {
    current = { ...current, ...change, outbox: outbox.items }
    for (const listener of listeners) listener()
  }

  /** All events between two frames are drawn together. */
  function onEvent(event: TurnEvent): void {
    if (waiting.length === 0) schedule(take)
    waiting.push(event)
  }

  function take(): void {
    const events = waiting
    waiting = []
    show(foldEvents(current.state, events))
  }

  function show(state: ThreadView, phase = current.phase): void {
    if (state === current.state && phase === current.phase) return
    current = { ...current, state, phase }
    outbox.settle(state)
    publish({})
  }

  async function open(signal: AbortSignal): Promise<void> {
    let { state } = current
    try {
      for (;;) {
        const page = await loadPage(state.lastSeq, signal)
        if (signal.aborted) return
        const before = state.lastSeq
        state = foldEvents(state, page.events)
        if (state.lastSeq >= page.lastSeq || state.lastSeq === before) break
      }
    } catch (error) {
      if (!signal.aborted) publish({ phase: isUnknown(error) ? 'unknown' : 'failed' })
      return
    }
    show(state, 'ready')
    const stop = watch(state.lastSeq, onEvent, () => publish({ phase: 'unknown' }))
    signal.addEventListener('abort', stop)
  }

  function start(): void {
    close?.()
    const controller = new AbortController()
    close = () => controller.abort()
    void open(controller.signal)
  }

  return {
    outbox,
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        close?.()
        close = undefined
      }
    },
    reload() {
      publish({ phase: 'loading' })
      start()
    },
  }
}

/** A hidden page draws no frames and must not fall behind. */
function beforeNextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 100)
  else requestAnimationFrame(work)
}
