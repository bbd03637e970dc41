import { useProblemWords } from '../i18n/use-problem-words.ts'
import { ApiError } from '@capstan/client'

/** Why a request failed, in one sentence of the current language. */
export function useReason(): (reason: unknown) => string {
  const problem = useProblemWords()
  return (reason) =>
    reason instanceof ApiError && reason.code !== 'unreachable' ? problem(reason) : problem()
}
