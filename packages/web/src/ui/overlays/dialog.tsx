import './overlay.css'
import { X } from 'lucide-react'
import { useId } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Modal } from './modal.tsx'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** The buttons at the end. */
  readonly actions?: ReactNode
  readonly width?: 'md' | 'lg'
}

export function Dialog({ open, onClose, title, children, actions, width = 'md' }: DialogProps): ReactElement {
  const t = useT()
  const id = useId()
  return (
    <Modal open={open} onClose={onClose} className={`ui-dialog ui-dialog-${width}`} labelledBy={id}>
      <div className="ui-dialog-inside">
        <header className="ui-dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton label={t('ui.close')} size="sm" onClick={onClose}>
            <X aria-hidden="true" />
          </IconButton>
        </header>
        <div className="ui-dialog-body">{children}</div>
        {actions !== undefined && <footer className="ui-dialog-actions">{actions}</footer>}
      </div>
    </Modal>
  )
}
