import './overlay.css'
import type { ReactElement, ReactNode } from 'react'
import { Modal } from './modal.tsx'

export interface SheetProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly label: string
  readonly side?: 'start' | 'end'
  readonly children: ReactNode
}

/** A panel that slides in from the side. */
export function Sheet({ open, onClose, label, side = 'start', children }: SheetProps): ReactElement {
  return (
    <Modal open={open} onClose={onClose} className={`ui-sheet ui-sheet-${side}`} label={label}>
      <div className="ui-sheet-inside">{children}</div>
    </Modal>
  )
}
