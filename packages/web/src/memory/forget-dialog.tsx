import { useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

/** Says what is deleted for good, and deletes it after a yes. When that fails, the dialog stays and shows why. */
export function ForgetDialog({
  title,
  children,
  onForget,
  onClose,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly onForget: () => Promise<void>
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const toReason = useReason()
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState<string>()

  async function forget(): Promise<void> {
    setBusy(true)
    setReason(undefined)
    try {
      await onForget()
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
          <Button variant="danger" busy={isBusy} onClick={() => void forget()}>
            {t('memory.forget.confirm')}
          </Button>
        </>
      }
    >
      <div className="memory-forget">
        {children}
        {reason !== undefined && (
          <p className="memory-problem" role="alert">
            {reason}
          </p>
        )}
      </div>
    </Dialog>
  )
}
