import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useT } from '../../i18n/use-t.ts'
import type { FieldProblem, ServerDraft, ServerField } from './server-draft.ts'
import { EMPTY_DRAFT, suggestName } from './server-draft.ts'

export type FieldErrors = { readonly [Field in ServerField]?: string }

/** The fields of the form and what is wrong with each. */
export interface ServerForm {
  readonly form: RefObject<HTMLFormElement | null>
  readonly draft: ServerDraft
  readonly errors: FieldErrors
  readonly change: (part: Partial<ServerDraft>) => void
  /** Shows errors at their fields and moves the focus to the first one. */
  readonly showErrors: (errors: FieldErrors) => void
}

/** Keeps what was typed, also for the way that is not shown. */
export function useServerForm(): ServerForm {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<ServerDraft>(EMPTY_DRAFT)
  const [isNamed, setNamed] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})

  function change(part: Partial<ServerDraft>): void {
    const next = { ...draft, ...part }
    // A suggested name follows the address or the command until the person types a name.
    setDraft(isNamed || part.name !== undefined ? next : { ...next, name: suggestName(next) || draft.name })
    if (part.name !== undefined) setNamed(part.name !== '')
    setErrors((known) => ({
      ...known,
      ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])),
    }))
  }

  function showErrors(found: FieldErrors): void {
    setErrors(found)
    const first = FIELDS.find((field) => found[field] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  return { form, draft, errors, change, showErrors }
}

const FIELDS: readonly ServerField[] = ['url', 'command', 'name']

/** The text for a problem that was found in a field before anything was sent. */
export function useFieldProblemText(): (found: FieldProblem) => string {
  const t = useT()
  return (found) => {
    if (found.field === 'name') return t(`connections.addServer.problems.name.${found.problem}`)
    if (found.field === 'url') return t(`connections.addServer.problems.url.${found.problem}`)
    if (found.problem === 'shell' || found.problem === 'environment')
      return t(`connections.addServer.problems.command.${found.problem}`, { sign: found.at ?? '' })
    return t(`connections.addServer.problems.command.${found.problem}`)
  }
}
