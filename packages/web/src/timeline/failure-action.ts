import type { Failure, FailureDetail } from '@capstan/protocol'

/** What a button under a failure does. */
export type FailureAction = 'connect' | 'reconnect' | 'allow' | 'settings' | 'diagnostics' | 'retry'

/** `turn`: the failure ended the turn. `model`: the model failed, not an app. */
export interface FailurePlace {
  readonly of: 'call' | 'model'
  /** Whether the message can be sent again. */
  readonly mayRetry: boolean
}

/** Where what happened says more than the class. Files that are refused again are not offered again. */
const ACTIONS_OF_DETAIL: Readonly<Partial<Record<FailureDetail['kind'], readonly FailureAction[]>>> = {
  'day-limit': ['settings', 'retry'],
  'month-limit': ['settings', 'retry'],
  'images-unsupported': ['settings', 'retry'],
  'files-unsupported': ['settings', 'retry'],
  'attachment-too-large': [],
  'attachment-unreadable': [],
}

/** The buttons for the next step of a failure; none where there is nothing to do. */
export function failureActions(
  { class: kind, detail, remedy }: Pick<Failure, 'class' | 'detail' | 'remedy'>,
  place: FailurePlace,
): readonly FailureAction[] {
  if (remedy?.kind === 'allow-actions') return ['allow']
  const retry: readonly FailureAction[] = place.mayRetry ? ['retry'] : []
  const known = detail && ACTIONS_OF_DETAIL[detail.kind]
  if (known) return known.flatMap((action) => (action === 'retry' ? retry : action))
  switch (kind) {
    case 'not_connected':
      return ['connect']
    case 'bad_credentials':
      return place.of === 'model' ? ['settings', ...retry] : ['reconnect']
    case 'missing_permission':
      return place.of === 'model' ? ['settings', ...retry] : ['allow']
    case 'blocked_by_policy':
    case 'quota_exhausted':
    case 'model_unreachable':
      return ['settings', ...retry]
    case 'timeout':
    case 'rate_limited':
    case 'service_unavailable':
    case 'approval_expired':
    case 'missing_app':
      return retry
    // The assistant corrects failures of these kinds, or they must not be repeated without a look at the result.
    case 'not_found':
    case 'unsupported':
    case 'too_large':
    case 'invalid_input':
      return place.of === 'model' ? ['settings', ...retry] : []
    case 'conflict':
    case 'command_failed':
    case 'interrupted':
    case 'cancelled':
      return place.of === 'model' ? retry : []
    case 'denied_by_user':
      return []
    case 'unknown':
      return [...retry, 'diagnostics']
    // A class that only a newer server knows.
    default:
      return [...retry, 'diagnostics']
  }
}
