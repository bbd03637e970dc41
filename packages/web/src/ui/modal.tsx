import { useEffect, useRef } from 'react'
import type { ReactElement, ReactNode } from 'react'

export interface ModalProps {
  readonly open: boolean
  /** Escape, the close button or a press beside it. */
  readonly onClose: () => void
  readonly className: string
  readonly labelledBy?: string
  readonly label?: string
  readonly children: ReactNode
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

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const before = document.activeElement
    if (!dialog.open) {
      // A page drawn without a browser has no top layer.
      if (typeof dialog.showModal === 'function') dialog.showModal()
      else dialog.setAttribute('open', '')
    }
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
      {children}
    </dialog>
  )
}
