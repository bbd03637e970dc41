import { ApiError } from '@capstan/client'
import { en } from '../i18n/en/index.ts'
import { useT } from '../i18n/use-t.ts'
import { useReason } from './use-reason.ts'

/** Why a form was refused, and at which of its fields. */
export interface ShownProblem {
  /** As the server names it, without the place in a list: `roots`, `sandbox.folders`. */
  readonly field?: string
  /** The place in the list, from 0. */
  readonly index?: number
  readonly text: string
}

/** Words a refused form. The text stands at the field, so it never repeats the server's name for it. */
export function useFieldProblem(): (refusal: unknown) => ShownProblem {
  const t = useT()
  const reason = useReason()

  function toWords({ problem, field, message }: ApiError): string {
    // A newer server may send kinds that this page does not know.
    if (problem && problem.kind in en.problems.fields) {
      const { kind, ...values } = problem
      return t(`problems.fields.${kind}`, { value: '', least: 0, most: 0, ...values })
    }
    const sentence =
      field !== undefined && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
    return sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/([^.!?])$/, '$1.')
  }

  return (refusal) => {
    if (!(refusal instanceof ApiError) || refusal.code !== 'invalid') return { text: reason(refusal) }
    const [, field, index] = /^(.*?)(?:\.(\d+))?$/.exec(refusal.field ?? '') ?? []
    return {
      ...(field ? { field } : {}),
      ...(index === undefined ? {} : { index: Number(index) }),
      text: toWords(refusal),
    }
  }
}
