import { ApiError } from '@capstan/client'
import type { SyncMapping } from '@capstan/protocol'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { useFieldProblem } from '../../../socket/use-field-problem.ts'
import type { MappingDraft, MappingField, MappingProblem } from './mapping-draft.ts'
import { fieldOfRefusal, readMappingDraft } from './mapping-draft.ts'

type Errors = Readonly<Partial<Record<MappingField, string>>>

/** What was changed in the form, and what is wrong with it. */
export interface MappingForm {
  readonly form: RefObject<HTMLFormElement | null>
  /** Undefined: nothing was changed. */
  readonly draft: MappingDraft | undefined
  readonly errors: Errors
  /** What is wrong and belongs to no field. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly change: (draft: MappingDraft) => void
  /** Forgets what was typed, for another choice. */
  readonly clear: () => void
  readonly submit: (draft: MappingDraft) => Promise<void>
}

/** Checks and saves a mapping. What was typed stays when it is refused, and the focus goes to the first problem. */
export function useMappingForm(save: (mapping: SyncMapping) => Promise<void>): MappingForm {
  const t = useT()
  const toProblem = useFieldProblem()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<MappingDraft>()
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function show(found: Errors): void {
    setErrors(found)
    // The part with the field may only be opened by its problem.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }

  async function send(mapping: SyncMapping): Promise<void> {
    setBusy(true)
    try {
      await save(mapping)
    } catch (error) {
      const { text } = toProblem(error)
      const field = error instanceof ApiError ? fieldOfRefusal(error.field) : undefined
      if (field) show({ [field]: text })
      else setProblem(text)
      setBusy(false)
    }
  }

  function forgetProblems(): void {
    setErrors({})
    setProblem(undefined)
  }

  return {
    form,
    draft,
    errors,
    problem,
    isBusy,
    change(next) {
      setDraft(next)
      forgetProblems()
    },
    clear() {
      setDraft(undefined)
      forgetProblems()
    },
    async submit(filled) {
      forgetProblems()
      const read = readMappingDraft(filled)
      if ('mapping' in read) return send(read.mapping)
      const words = Object.entries(read.problems).map(([field, found]) => [field, toWords(found)])
      show(Object.fromEntries(words) as Errors)
    },
  }

  function toWords(found: MappingProblem): string {
    return t(`sync.mapping.problems.${found}`)
  }
}
