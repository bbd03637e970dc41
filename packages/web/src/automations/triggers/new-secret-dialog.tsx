import type { TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useFieldProblem } from '../../socket/use-field-problem.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** Replaces the secret of a source: by the one of the service, or by one that is made. */
export function NewSecretDialog({
  source,
  onReplaced,
  onClose,
}: {
  readonly source: TriggerSource
  readonly onReplaced: (created: TriggerSourceCreated) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toProblem = useFieldProblem()
  const id = useId()
  const [secret, setSecret] = useState('')
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({
    isBusy: false,
  })

  async function replace(event: FormEvent): Promise<void> {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      const created = await api.replaceTriggerSecret(source.id, secret.trim() || undefined)
      onClose()
      onReplaced(created)
    } catch (error) {
      setState({ isBusy: false, problem: toProblem(error).text })
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('triggers.newSecret.title', { name: source.name })}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={id} busy={state.isBusy}>
            {t('triggers.newSecret.confirm')}
          </Button>
        </>
      }
    >
      <form id={id} className="triggers-form" onSubmit={(event) => void replace(event)}>
        <p>{t('triggers.newSecret.text')}</p>
        <TextField
          label={t('triggers.newSecret.field')}
          hint={t('triggers.newSecret.hint')}
          type="password"
          autoComplete="off"
          dir="ltr"
          value={secret}
          error={state.problem}
          onChange={(event) => setSecret(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
