import type { ActionEffect } from './connection.ts'
import type { SpendingLimit } from './spending.ts'

/**
 * Why something failed, in words for people. The event, the socket, the ledger and the screen carry the same value. It
 * never holds a stack trace, a secret or a provider's internals.
 */
export interface Failure {
  readonly class: FailureClass
  readonly category: FailureCategory
  /** Why, in one plain sentence. */
  readonly cause: string
  /** What to do next, in one plain sentence. */
  readonly next: string
  /** True exactly for the category `transient`: trying the same again may work. */
  readonly recoverable: boolean
  readonly retryAfterMs?: number
  /** How often it was tried, if more than once. */
  readonly tries?: number
  /** What the class alone does not say, so that a screen can say it in its own language. */
  readonly detail?: FailureDetail
  /** What the person can do about it with one press. Facts for a screen, which has its own words for them. */
  readonly remedy?: FailureRemedy
  /** Which rule decided and on which fact. For logs and tests, never for the user. */
  readonly evidence?: FailureEvidence
}

/** An action of an app that the settings switch off: they can allow all actions of its kind there. */
export interface FailureRemedy {
  readonly kind: 'allow-actions'
  readonly toolkit: string
  /** What people call the app. */
  readonly name: string
  readonly effect: ActionEffect
  readonly action: string
}

/** The rule and the fact that decided the class. For logs and tests, never for users. */
export interface FailureEvidence {
  readonly rule: string
  readonly fact?: string
}

/**
 * What happened beyond the class. `agent-halted`: a guard stopped a sub-agent. `agent-capped`: it reached its limit.
 * `agent-nested`: it would be one level too deep. `empty-reply`: the model answered with nothing. `limit`: the turn
 * reached a limit of ours. `day-limit`, `month-limit`: what the user may spend is used up. Those of a model that cannot be
 * used: `model-address` has no `#` with a model, `model-name` is in no known form, `model-key` is missing, `model-silent`:
 * nothing answers at its address, `model-host`: the name in it is not known, `model-insecure`: there is no secure
 * connection, `model-page`: a web page answers there. `done-already`: the same write had succeeded in this turn.
 * `gave-up`: a turn was interrupted too often. The others: an attachment was refused.
 */
export type FailureDetail =
  | {
      readonly kind: 'agent-halted' | 'agent-capped' | 'agent-nested'
      /** The id of the agent's definition. */
      readonly agent: string
    }
  | {
      readonly kind:
        | 'model-address'
        | 'model-name'
        | 'model-key'
        | 'model-silent'
        | 'model-host'
        | 'model-insecure'
        | 'model-page'
    }
  | {
      readonly kind: 'day-limit' | 'month-limit'
      readonly unit: SpendingLimit['unit']
      readonly limit: number
    }
  | { readonly kind: 'empty-reply' | 'limit' | 'done-already' | 'gave-up' | AttachmentProblem }

/**
 * Why an attachment was refused: the model cannot see images or read such files, it is too large or there are too many,
 * or nobody could read it.
 */
export type AttachmentProblem =
  | 'images-unsupported'
  | 'files-unsupported'
  | 'attachment-too-large'
  | 'attachment-unreadable'

/** Who can do something about a failure. */
export type FailureCategory = 'transient' | 'needs_user' | 'declined' | 'fixable' | 'unknown' | 'stopped'

/** Every class with its category: the one place that pairs them. */
export const FAILURE_CATEGORIES = {
  timeout: 'transient',
  rate_limited: 'transient',
  service_unavailable: 'transient',
  model_unreachable: 'transient',
  quota_exhausted: 'needs_user',
  bad_credentials: 'needs_user',
  not_connected: 'needs_user',
  missing_permission: 'needs_user',
  missing_app: 'needs_user',
  blocked_by_policy: 'declined',
  denied_by_user: 'declined',
  approval_expired: 'declined',
  not_found: 'fixable',
  invalid_input: 'fixable',
  conflict: 'fixable',
  unsupported: 'fixable',
  too_large: 'fixable',
  command_failed: 'fixable',
  interrupted: 'unknown',
  cancelled: 'stopped',
  unknown: 'unknown',
} as const satisfies Record<string, FailureCategory>

/** Why an action failed. */
export type FailureClass = keyof typeof FAILURE_CATEGORIES
