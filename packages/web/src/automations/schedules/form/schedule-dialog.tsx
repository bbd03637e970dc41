import type { ScheduleRow } from '@capstan/protocol'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextArea } from '../../../ui/controls/text-area.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { NextRuns } from '../next-runs.tsx'
import { usePreview } from '../timing/use-preview.ts'
import { MoreFields } from './more-fields.tsx'
import { toWhen } from './schedule-draft.ts'
import { useScheduleForm } from './use-schedule-form.ts'
import { WhenFields } from './when-fields.tsx'
import { ZoneField } from './zone-field.tsx'

/** Adds a schedule, or changes one. What was entered stays when it is refused. */
export function ScheduleDialog({
  schedule,
  onSaved,
  onClose,
}: {
  readonly schedule: ScheduleRow | undefined
  readonly onSaved: (saved: ScheduleRow) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const formId = useId()
  const fields = useScheduleForm(schedule, (saved) => {
    onSaved(saved)
    onClose()
  })
  const { draft, errors, change, problem } = fields
  const preview = usePreview(toWhen(draft), draft.zone.trim())
  return (
    <Dialog
      open
      onClose={onClose}
      title={schedule ? t('schedules.form.edit', { title: schedule.title }) : t('schedules.add')}
      width="lg"
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={formId} busy={fields.isBusy}>
            {schedule ? t('schedules.form.save') : t('schedules.add')}
          </Button>
        </>
      }
    >
      <form
        ref={fields.form}
        id={formId}
        className="schedules-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          fields.submit()
        }}
      >
        <TextArea
          label={t('schedules.form.prompt')}
          hint={t('schedules.form.promptHint')}
          error={errors.prompt}
          name="prompt"
          dir="auto"
          rows={3}
          value={draft.prompt}
          onChange={(event) => change({ prompt: event.target.value })}
        />
        <WhenFields draft={draft} errors={errors} onChange={change} />
        <ZoneField zone={draft.zone} error={errors.zone} onChange={(zone) => change({ zone })} />
        <NextRuns state={preview} />
        <TextField
          label={t('schedules.form.name')}
          hint={t('schedules.form.nameHint')}
          error={errors.title}
          name="title"
          dir="auto"
          maxLength={120}
          autoComplete="off"
          value={draft.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <MoreFields draft={draft} errors={errors} onChange={change} />
        {problem !== undefined && (
          <p className="schedules-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}
