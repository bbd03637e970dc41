import type { ActionEffect } from './connection.ts'

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
