import { createContext, use, useEffect, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { ToastPlace } from './toast.tsx'

export interface ModalProps {
  readonly open: boolean
  /** Escape, the close button or a press beside it. */
  readonly onClose: () => void
  readonly className: string
  readonly labelledBy?: string
  readonly label?: string
  readonly children: ReactNode
}

const LayerContext = createContext<HTMLElement | null>(null)

/** Where menus and tooltips are put: into the open modal, for what is outside of it can be neither seen nor used. */
export function useLayer(): HTMLElement | null {
  return use(LayerContext)
}

/**
 * The browser's own modal: it keeps the focus inside, makes the rest inert, closes on Escape and gives the focus
 * back. Nothing of it is drawn while it is closed.
 */
export function Modal({
  open,
  onClose,
  className,
  labelledBy,
  label,
  children,
}: ModalProps): ReactElement | null {
  return open ? (
    <OpenModal onClose={onClose} className={className} labelledBy={labelledBy} label={label}>
      {children}
    </OpenModal>
  ) : null
}

function OpenModal({
  onClose,
  className,
  labelledBy,
  label,
  children,
}: Omit<ModalProps, 'open'>): ReactElement {
  const ref = useRef<HTMLDialogElement>(null)
  const [layer, setLayer] = useState<HTMLElement | null>(null)

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    setLayer(dialog)
    const before = document.activeElement
    if (!dialog.open) {
      // A page drawn without a browser has no top layer.
      if (typeof dialog.showModal === 'function') dialog.showModal()
      else dialog.setAttribute('open', '')
    }
    // To what is to be filled in, else to the whole: a close button is no place to begin.
    const first = dialog.querySelector<HTMLElement>('input, textarea, select') ?? dialog
    first.focus()
    return () => {
      if (dialog.open && typeof dialog.close === 'function') dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    // The dialog hears Escape itself; the press is for its backdrop alone.
    <dialog
      ref={ref}
      className={className}
      tabIndex={-1}
      aria-labelledby={labelledBy}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <LayerContext value={layer}>{children}</LayerContext>
      <ToastPlace />
    </dialog>
  )
}
