import './overlay.css'
import { X } from 'lucide-react'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'

export interface Toast {
  readonly text: string
  readonly tone?: 'neutral' | 'fail'
  /** Offers "Undo". When it is pressed, this is called and `onGone` is not. */
  readonly onUndo?: () => void
  /** Called when the toast ends without "Undo": after its time, when dismissed, or when the page is left. */
  readonly onGone?: () => void
  /** How long it stays. The time stops while the toast is hovered or focused. */
  readonly stayMs?: number
}

/** Shows a toast. The result dismisses it. */
export type ShowToast = (toast: Toast) => () => void

/** The toasts and the places that can show them. Only the newest place shows them. */
interface ToastBoard {
  readonly rows: ReactNode
  readonly places: readonly symbol[]
  readonly open: (place: symbol) => () => void
}

const ToastContext = createContext<ShowToast>(() => () => undefined)
const BoardContext = createContext<ToastBoard>({ rows: null, places: [], open: () => () => undefined })
const UndoContext = createContext<() => void>(() => undefined)

export function useToast(): ShowToast {
  return use(ToastContext)
}

/** Presses "Undo" of the newest toast that offers it. */
export function useUndoNewest(): () => void {
  return use(UndoContext)
}

interface ShownToast extends Toast {
  readonly id: number
}

const STAY_MS = 6000

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const shown = useRef(new Map<number, ShownToast>())
  const nextId = useRef(0)

  const remove = useCallback((id: number, isUndone: boolean) => {
    const toast = shown.current.get(id)
    // The first end wins: "Undo" and the timer may fire together.
    if (!toast) return
    shown.current.delete(id)
    setToasts([...shown.current.values()])
    if (isUndone) toast.onUndo?.()
    else toast.onGone?.()
  }, [])

  const show = useCallback<ShowToast>(
    (toast) => {
      const id = nextId.current++
      shown.current.set(id, { ...toast, id })
      setToasts([...shown.current.values()])
      return () => remove(id, false)
    },
    [remove],
  )

  const undoNewest = useCallback(() => {
    const newest = [...shown.current.values()].findLast((toast) => toast.onUndo)
    if (newest) remove(newest.id, true)
  }, [remove])

  useEffect(() => {
    const leave = (): void => {
      for (const id of shown.current.keys()) remove(id, false)
    }
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  }, [remove])

  const [places, setPlaces] = useState<readonly symbol[]>([])
  const open = useCallback((place: symbol) => {
    setPlaces((all) => [...all, place])
    return () => setPlaces((all) => all.filter((other) => other !== place))
  }, [])

  const board = useMemo<ToastBoard>(
    () => ({
      rows: toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} onEnd={(isUndone) => remove(toast.id, isUndone)} />
      )),
      places,
      open,
    }),
    [toasts, places, open, remove],
  )

  return (
    <ToastContext value={show}>
      <BoardContext value={board}>
        <ToastPlace />
        <UndoContext value={undoNewest}>{children}</UndoContext>
      </BoardContext>
    </ToastContext>
  )
}

/** Where toasts are shown. A modal has its own place, because everything outside of it is inert. */
export function ToastPlace(): ReactElement {
  const t = useT()
  const { rows, places, open } = use(BoardContext)
  const [place] = useState(() => Symbol('toasts'))
  useEffect(() => open(place), [open, place])
  return (
    <section className="ui-toasts" aria-label={t('ui.notifications')} aria-live="polite" aria-atomic="false">
      {places.at(-1) === place && rows}
    </section>
  )
}

function ToastRow({
  toast,
  onEnd,
}: {
  readonly toast: ShownToast
  readonly onEnd: (isUndone: boolean) => void
}): ReactElement {
  const t = useT()
  const [isHeld, setHeld] = useState(false)
  const end = useRef(onEnd)
  end.current = onEnd

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => end.current(false), toast.stayMs ?? STAY_MS)
    return () => clearTimeout(timer)
  }, [isHeld, toast.stayMs])

  return (
    <div
      className="ui-toast"
      data-tone={toast.tone ?? 'neutral'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.onUndo && (
        <button type="button" className="ui-toast-action" onClick={() => onEnd(true)}>
          {t('ui.undo')}
        </button>
      )}
      <button
        type="button"
        className="ui-toast-close"
        aria-label={t('ui.dismiss')}
        onClick={() => onEnd(false)}
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
