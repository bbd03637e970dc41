import type { Failure } from '@capstan/protocol'

/** What a button under a failure does. */
export type FailureAction = 'connect' | 'reconnect' | 'allow' | 'settings' | 'diagnostics' | 'retry'

/** `turn`: the failure ended the turn. `model`: the model failed, not an app. */
export interface FailurePlace {
  readonly of: 'call' | 'model'
  /** Whether the message can be sent again. */
  readonly mayRetry: boolean
}

/** The buttons for the next step of a failure; none where there is nothing to do. */
export function failureActions(
  { class: kind, remedy }: Pick<Failure, 'class' | 'remedy'>,
  place: FailurePlace,
): readonly FailureAction[] {
  if (remedy?.kind === 'allow-actions') return ['allow']
  const retry: readonly FailureAction[] = place.mayRetry ? ['retry'] : []
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
