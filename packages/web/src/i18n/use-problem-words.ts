import type { ApiProblemCode } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useT } from './use-t.ts'

/**
 * The text of a server error in the active language. Without an error, or with `unreachable`, there was no answer.
 */
export function useProblemWords(): (problem?: {
  readonly code: ApiProblemCode | 'unreachable'
  readonly field?: string
}) => string {
  const t = useT()
  return (problem) => {
    if (!problem || problem.code === 'unreachable') return t('problems.offline')
    if (problem.code === 'limit_reached' && problem.field === 'storedMegabytes')
      return t('problems.storage-full')
    if (problem.code === 'conflict' && problem.field === 'approval') return t('problems.needs-card')
    // A newer server may send codes that this page does not know.
    return problem.code in en.problems.codes ? t(`problems.codes.${problem.code}`) : t('problems.other')
  }
}
