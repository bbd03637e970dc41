import type { TriggerAction, TriggerRow } from '@capstan/protocol'
import { TRIGGER_ACTIONS } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'

const MAX_NOTE_CHARS = 300

/** Asks what would have been right. It becomes an example of the source. */
export function WrongDialog({
  row,
  onSaved,
  onClose,
}: {
  readonly row: TriggerRow
  readonly onSaved: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const id = useId()
  const made = row.decision?.action
  const [right, setRight] = useState<TriggerAction>(
    row.feedback?.right ?? TRIGGER_ACTIONS.find((action) => action !== made) ?? 'drop',
  )
  const [note, setNote] = useState(row.feedback?.note ?? '')
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({
    isBusy: false,
  })

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      const words = note.trim()
      await api.correctTrigger(row.id, { right, ...(words !== '' && { note: words }) })
      toast({ text: t('activity.wrong.saved'), stayMs: 3000 })
      onSaved()
      onClose()
    } catch (error) {
      setState({ isBusy: false, problem: toReason(error) })
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('activity.wrong.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={id} busy={state.isBusy}>
            {t('activity.wrong.save')}
          </Button>
        </>
      }
    >
      <form id={id} className="activity-form" onSubmit={(event) => void save(event)}>
        <p className="activity-soft">{t('activity.wrong.text', { source: row.sourceName })}</p>
        <fieldset className="activity-choices">
          <legend>{t('activity.wrong.field')}</legend>
          {TRIGGER_ACTIONS.map((action) => (
            <label key={action} className="activity-choice">
              <input type="radio" name="right" checked={right === action} onChange={() => setRight(action)} />
              {t(`activity.rights.${action}`)}
            </label>
          ))}
        </fieldset>
        <TextField
          label={t('activity.wrong.note')}
          placeholder={t('activity.wrong.placeholder')}
          maxLength={MAX_NOTE_CHARS}
          dir="auto"
          value={note}
          error={state.problem}
          onChange={(event) => setNote(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
