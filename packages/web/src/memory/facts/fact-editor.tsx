import { MAX_FACT_CHARS } from '@capstan/protocol'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'

/** Changes the words of a fact. Enter saves and Escape gives up. */
export function FactEditor({
  text,
  save,
  onSave,
  onCancel,
}: {
  readonly text: string
  /** The words of the button. */
  readonly save: string
  readonly onSave: (text: string) => Promise<unknown>
  readonly onCancel: () => void
}): ReactElement {
  const t = useT()
  const [draft, setDraft] = useState(text)
  const [isBusy, setBusy] = useState(false)
  const isEmpty = draft.trim() === ''

  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (isEmpty || isBusy) return
    setBusy(true)
    await onSave(draft)
    setBusy(false)
  }

  return (
    <form className="memory-editor" onSubmit={(event) => void submit(event)}>
      <TextArea
        label={t('memory.facts.field')}
        hideLabel
        autoFocus
        rows={2}
        dir="auto"
        maxLength={MAX_FACT_CHARS}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            onCancel()
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void submit()
          }
        }}
      />
      <div className="memory-buttons">
        <Button type="submit" variant="strong" size="sm" busy={isBusy} disabled={isEmpty}>
          {save}
        </Button>
        <Button size="sm" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
      </div>
    </form>
  )
}
