import type { Failure } from '@capstan/protocol'

/** Words that say what is missing, or who could give it. */
const SAYS_MORE =
  /\b(?:shar(?:ed|ing)|members?|invit\w+|owners?|admin\w*|roles?|privileges?|read-?only|permissions?|access to|rights?|private|restricted)\b/i
const MAX_READ_CHARS = 2_000

/** Whether a refusal says no more than "403" or "forbidden". Pure; never throws. */
export function isBareRefusal(
  { class: failureClass, evidence }: Failure,
  { httpStatus, text = '' }: { readonly httpStatus?: number; readonly text?: string },
): boolean {
  if (failureClass !== 'missing_permission') return false
  const isPlain =
    httpStatus === 403 ||
    evidence?.rule === 'status-403' ||
    /^(?:forbidden|access (?:is |was )?(?:denied|forbidden))$/.test(evidence?.fact ?? '')
  return isPlain && !SAYS_MORE.test(text.slice(0, MAX_READ_CHARS))
}
