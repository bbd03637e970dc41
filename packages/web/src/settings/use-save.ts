import type { SettingsPatch } from '@capstan/protocol'
import { useState } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useFieldProblem } from '../socket/use-field-problem.ts'
import { useToast } from '../ui/overlays/toast.tsx'
import { useSettings } from './settings-context.tsx'

export interface Save {
  readonly isSaving: boolean
  /** Why the last attempt was refused; cleared by the next one. */
  readonly error: string | undefined
  /** True when the server accepted the change. `text` is shown instead of "Saved." */
  readonly save: (patch: SettingsPatch, text?: string) => Promise<boolean>
}

/** Changes settings and shows the result. */
export function useSave(): Save {
  const t = useT()
  const toast = useToast()
  const toProblem = useFieldProblem()
  const { change } = useSettings()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()

  async function save(patch: SettingsPatch, text?: string): Promise<boolean> {
    setSaving(true)
    setError(undefined)
    try {
      await change(patch)
      toast({ text: text ?? t('settings.saved'), stayMs: 3000 })
      return true
    } catch (refusal) {
      setError(toProblem(refusal).text)
      return false
    } finally {
      setSaving(false)
    }
  }

  return { isSaving, error, save }
}
