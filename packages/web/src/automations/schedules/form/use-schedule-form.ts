import type { ScheduleRow } from '@capstan/protocol'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useFormatters } from '../../../i18n/use-formatters.ts'
import { useT } from '../../../i18n/use-t.ts'
import { useApi } from '../../../socket/server-context.tsx'
import { useFieldProblem } from '../../../socket/use-field-problem.ts'
import { browserZone } from '../zone-time.tsx'
import type { DraftField, ScheduleDraft } from './schedule-draft.ts'
import { emptyDraft, findProblems, LIMITS, toDraft, toPatch, toPost } from './schedule-draft.ts'

type Field = keyof ScheduleDraft
export type FieldErrors = { readonly [Name in Field]?: string | undefined }

/** The fields of the form, and what is wrong with each. */
export interface ScheduleForm {
  readonly form: RefObject<HTMLFormElement | null>
  readonly draft: ScheduleDraft
  readonly errors: FieldErrors
  /** Why it was refused, if that is about no field. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly change: (part: Partial<ScheduleDraft>) => void
  readonly submit: () => void
}

/** Keeps what was entered, also when it was refused. */
export function useScheduleForm(
  schedule: ScheduleRow | undefined,
  onSaved: (saved: ScheduleRow) => void,
): ScheduleForm {
  const api = useApi()
  const toProblem = useFieldProblem()
  const toWords = useDraftProblemWords()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => (schedule ? toDraft(schedule) : emptyDraft(browserZone())))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function showErrors(found: FieldErrors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function refuse(refusal: unknown): void {
    const { field, text } = toProblem(refusal)
    const name =
      field === 'when' ? (draft.way === 'words' ? 'words' : 'way') : field?.replace(/^limits\./, '')
    if (name !== undefined && name in draft) showErrors({ [name]: text })
    else setProblem(text)
  }

  async function save(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      onSaved(
        schedule
          ? await api.changeSchedule(schedule.id, toPatch(draft, schedule))
          : await api.addSchedule(toPost(draft)),
      )
    } catch (refusal) {
      refuse(refusal)
      setBusy(false)
    }
  }

  return {
    form,
    draft,
    errors,
    problem,
    isBusy,
    change(part) {
      setDraft((known) => ({ ...known, ...part }))
      const changed = Object.keys(part).map((field) => [field, undefined])
      setErrors((known) => ({ ...known, ...Object.fromEntries(changed) }))
    },
    submit() {
      const found = findProblems(draft)
      if (found.length === 0) return void save()
      showErrors(Object.fromEntries(found.map((field) => [field, toWords(field)])))
    },
  }
}

/** Why a field cannot be sent as it is. */
function useDraftProblemWords(): (field: DraftField) => string {
  const t = useT()
  const format = useFormatters()
  return (field) => {
    if (field !== 'usd' && field !== 'minutes') return t(`schedules.form.problems.${field}`)
    const { least, most } = LIMITS[field]
    return t('schedules.form.problems.range', { least: format.number(least), most: format.number(most) })
  }
}
