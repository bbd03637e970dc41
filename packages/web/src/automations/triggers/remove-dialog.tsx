import type { TriggerSource } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'

/** Asks before a source is deleted. */
export function RemoveDialog({
  source,
  onRemoved,
  onClose,
}: {
  readonly source: TriggerSource
  readonly onRemoved: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({
    isBusy: false,
  })

  async function remove(): Promise<void> {
    setState({ isBusy: true })
    try {
      await api.removeTriggerSource(source.id)
      toast({ text: t('triggers.remove.removed', { name: source.name }) })
      onRemoved()
      onClose()
    } catch (error) {
      setState({ isBusy: false, problem: toReason(error) })
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('triggers.remove.title', { name: source.name })}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="danger" busy={state.isBusy} onClick={() => void remove()}>
            {t('triggers.remove.confirm')}
          </Button>
        </>
      }
    >
      <p>{t('triggers.remove.text')}</p>
      {state.problem !== undefined && (
        <p className="triggers-problem" role="alert">
          {state.problem}
        </p>
      )}
    </Dialog>
  )
}
