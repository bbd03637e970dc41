import { createContext, use, useEffect, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { ToastPlace } from './toast.tsx'

export interface ModalProps {
  readonly open: boolean
  /** Called for Escape, the close button or a press outside. */
  readonly onClose: () => void
  readonly className: string
  readonly labelledBy?: string
  readonly label?: string
  readonly children: ReactNode
}

const LayerContext = createContext<HTMLElement | null>(null)

/** Where menus and tooltips are put: into the open modal, because everything outside of it is inert. */
export function useLayer(): HTMLElement | null {
  return use(LayerContext)
}

/**
 * The browser's own modal: it keeps the focus inside, makes the rest inert, closes on Escape and returns the focus.
 * Draws nothing while it is closed.
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
      // Without a real browser there is no top layer.
      if (typeof dialog.showModal === 'function') dialog.showModal()
      else dialog.setAttribute('open', '')
    }
    // The first field gets the focus, else the dialog itself: never the close button.
    const first = dialog.querySelector<HTMLElement>('input, textarea, select') ?? dialog
    first.focus()
    return () => {
      if (dialog.open && typeof dialog.close === 'function') dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])

  return (
    // The dialog handles Escape itself; the click handler is for its backdrop only.
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
