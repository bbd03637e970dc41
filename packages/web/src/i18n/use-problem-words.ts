import type { ApiProblemCode } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useT } from './use-t.ts'

/**
 * Words a refusal of the server in the language now spoken. Without one, or with `unreachable`, no answer came at all.
 */
export function useProblemWords(): (problem?: { readonly code: ApiProblemCode | 'unreachable' }) => string {
  const t = useT()
  return (problem) => {
    if (!problem || problem.code === 'unreachable') return t('problems.offline')
    // A newer server may know codes that we do not.
    return problem.code in en.problems.codes ? t(`problems.codes.${problem.code}`) : t('problems.other')
  }
}
