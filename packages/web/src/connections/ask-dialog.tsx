import '../ui/controls/field.css'
import { useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

export interface AskDialogProps {
  readonly title: string
  /** What the action means. */
  readonly children: ReactNode
  /** Below it, such as choices. */
  readonly more?: ReactNode
  readonly confirm: string
  /** `strong`: nothing is removed. */
  readonly variant?: 'danger' | 'strong'
  /** It cannot be confirmed yet. */
  readonly isDisabled?: boolean
  /** The dialog closes when it resolves. When it rejects, the dialog stays and shows the reason. */
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
}

/** Asks for confirmation before something is removed or a wide permission is given. */
export function AskDialog({
  title,
  children,
  more,
  confirm,
  variant = 'danger',
  isDisabled = false,
  onConfirm,
  onClose,
}: AskDialogProps): ReactElement {
  const t = useT()
  const toReason = useReason()
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState<string>()

  async function run(): Promise<void> {
    setBusy(true)
    setReason(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setReason(toReason(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant={variant} busy={isBusy} disabled={isDisabled} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      {more !== undefined && <div className="connections-ask-more">{more}</div>}
      {reason !== undefined && (
        <p className="ui-field-error" role="alert">
          {reason}
        </p>
      )}
    </Dialog>
  )
}
