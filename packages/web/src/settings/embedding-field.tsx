import type { Settings } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useSave } from './use-save.ts'

/** Suggested names; any other can be typed. */
const SUGGESTIONS = [
  'openai/text-embedding-3-small',
  'google/gemini-embedding-001',
  'ollama/nomic-embed-text',
  'ollama/bge-m3',
]

/** The model that makes vectors of what is in memory. */
export function EmbeddingField({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const listId = useId()
  const { isSaving, error, save } = useSave()
  const [draft, setDraft] = useState<string>()
  const { embeddingModel, embeddingInUse } = settings

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (await save({ embeddingModel: (draft ?? embeddingModel).trim() })) setDraft(undefined)
  }

  return (
    <form className="settings-line" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('settings.embedding.field')}
        hint={t('settings.embedding.hint')}
        error={error}
        value={draft ?? embeddingModel}
        list={listId}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
      />
      <datalist id={listId}>
        {SUGGESTIONS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {embeddingInUse && (
        <p className="settings-small">{t('settings.embedding.inUse', { model: embeddingInUse.name })}</p>
      )}
      <div className="settings-actions">
        <Button
          type="submit"
          variant="strong"
          busy={isSaving}
          disabled={draft === undefined || draft.trim() === embeddingModel}
        >
          {t('settings.embedding.use')}
        </Button>
      </div>
    </form>
  )
}
