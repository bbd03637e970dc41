import type { TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import { useId, useRef, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import type { ShownProblem } from '../../socket/use-field-problem.ts'
import { useFieldProblem } from '../../socket/use-field-problem.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { emptyDraft, isOfApp, toDraft, toFields } from './source-draft.ts'
import { SourceFields } from './source-fields.tsx'

interface SourceDialogProps {
  /** Absent: a new one. */
  readonly source?: TriggerSource
  /** With its secret, if one was made. */
  readonly onCreated?: (created: TriggerSourceCreated) => void
  readonly onChanged?: () => void
  /** Called before a new source is passed on. */
  readonly onClose: () => void
}

/** Adds a source, or changes one. What was typed stays when it is refused. */
export function SourceDialog({ source, onCreated, onChanged, onClose }: SourceDialogProps): ReactElement {
  const t = useT()
  const api = useApi()
  const toProblem = useFieldProblem()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => (source ? toDraft(source) : emptyDraft()))
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ShownProblem>()

  async function send(): Promise<void> {
    const fields = toFields(draft)
    if (source) {
      await api.changeTriggerSource(source.id, fields)
      onClose()
      return onChanged?.()
    }
    const { kind, connectionId } = draft
    const secret = draft.secret.trim()
    const created = await api.addTriggerSource({
      ...fields,
      kind,
      ...(isOfApp(kind) ? connectionId !== '' && { connectionId } : secret !== '' && { secret }),
    })
    onClose()
    onCreated?.(created)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (draft.name.trim() === '') {
      setProblem({ field: 'name', text: t('triggers.form.missingName') })
      form.current?.querySelector<HTMLElement>('[name="name"]')?.focus()
      return
    }
    setBusy(true)
    setProblem(undefined)
    try {
      await send()
    } catch (error) {
      setProblem(toProblem(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={source ? t('triggers.form.editTitle', { name: source.name }) : t('triggers.add')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={id} busy={isBusy}>
            {source ? t('triggers.form.save') : t('triggers.form.create')}
          </Button>
        </>
      }
    >
      <form ref={form} id={id} className="triggers-form" onSubmit={(event) => void submit(event)}>
        <SourceFields
          draft={draft}
          problem={problem}
          isNew={source === undefined}
          onChange={(part) => {
            setDraft((before) => ({ ...before, ...part }))
            setProblem(undefined)
          }}
        />
        {problem && !SHOWN_AT_FIELD.has(problem.field ?? '') && (
          <p className="triggers-problem" role="alert">
            {problem.text}
          </p>
        )}
      </form>
    </Dialog>
  )
}

const SHOWN_AT_FIELD: ReadonlySet<string> = new Set([
  'name',
  'rule',
  'secret',
  'connectionId',
  'threadId',
  'budget.usd',
  'budget.runs',
  'quietHours.from',
  'quietHours.to',
  'quietHours.timeZone',
])
