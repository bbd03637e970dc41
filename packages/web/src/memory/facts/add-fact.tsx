import { MAX_FACT_CHARS, MAX_FACTS } from '@capstan/protocol'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { ApiError } from '@capstan/client'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'

/** Adds a fact by hand. It is accepted at once. What was typed stays until it is added. */
export function AddFact({
  isFull,
  onAdded,
}: {
  readonly isFull: boolean
  readonly onAdded: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState<string>()
  const full = t('memory.facts.full', { most: MAX_FACTS })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    setReason(undefined)
    try {
      await api.addFact(text)
      setText('')
      toast({ text: t('memory.facts.isAdded') })
      onAdded()
    } catch (error) {
      setReason(error instanceof ApiError && error.code === 'conflict' ? full : toReason(error))
    }
    setBusy(false)
  }

  return (
    <form className="memory-add" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('memory.facts.newField')}
        className="memory-words"
        placeholder={t('memory.facts.newPlaceholder')}
        value={text}
        maxLength={MAX_FACT_CHARS}
        autoComplete="off"
        error={reason ?? (isFull ? full : undefined)}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        type="submit"
        icon={<Plus aria-hidden="true" />}
        busy={isBusy}
        disabled={isFull || text.trim() === ''}
      >
        {t('memory.facts.add')}
      </Button>
    </form>
  )
}
