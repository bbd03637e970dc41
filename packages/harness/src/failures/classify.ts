import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure, FailureClass } from '@capstan/protocol'
import type { ModelErrorFacts } from '../turn/errors.ts'
import type { OutcomeFacts } from '../turn/tool-outcome.ts'
import { MODEL_WORDING, WORDING } from './wording.ts'

interface Rule<Facts> {
  readonly name: string
  readonly class: FailureClass
  readonly matches: (facts: Facts) => boolean
}

const status =
  (...codes: number[]) =>
  (facts: { readonly httpStatus?: number }): boolean =>
    facts.httpStatus !== undefined && codes.includes(facts.httpStatus)
const serverError = (facts: { readonly httpStatus?: number }): boolean => (facts.httpStatus ?? 0) >= 500
const code =
  (...codes: string[]) =>
  (facts: { readonly errorCode?: string }): boolean =>
    facts.errorCode !== undefined && codes.includes(facts.errorCode)

// The first rule that matches wins, so the specific stand above the general.
const TOOL_RULES: readonly Rule<OutcomeFacts>[] = [
  { name: 'timed-out', class: 'timeout', matches: (facts) => facts.timedOut === true },
  { name: 'interrupted', class: 'interrupted', matches: (facts) => facts.interrupted === true },
  { name: 'cancelled', class: 'cancelled', matches: (facts) => facts.cancelled === true },
  { name: 'denied-by-policy', class: 'blocked_by_policy', matches: (facts) => facts.deniedBy === 'policy' },
  { name: 'denied-by-user', class: 'denied_by_user', matches: (facts) => facts.deniedBy === 'user' },
  { name: 'denied-by-expiry', class: 'approval_expired', matches: (facts) => facts.deniedBy === 'expiry' },
  { name: 'unknown-tool', class: 'not_found', matches: code('unknown_tool') },
  { name: 'bad-arguments', class: 'invalid_input', matches: code('invalid_arguments') },
  { name: 'spawn-depth', class: 'unsupported', matches: code('spawn_depth_exceeded') },
  { name: 'exit-127', class: 'missing_app', matches: (facts) => facts.exitCode === 127 },
  { name: 'exit-126', class: 'missing_permission', matches: (facts) => facts.exitCode === 126 },
  { name: 'exit-code', class: 'command_failed', matches: (facts) => (facts.exitCode ?? 0) !== 0 },
  { name: 'http-invalid', class: 'invalid_input', matches: status(400, 422) },
  { name: 'http-401', class: 'bad_credentials', matches: status(401) },
  { name: 'http-402', class: 'quota_exhausted', matches: status(402) },
  { name: 'http-403', class: 'missing_permission', matches: status(403) },
  { name: 'http-gone', class: 'not_found', matches: status(404, 410) },
  { name: 'http-unsupported', class: 'unsupported', matches: status(405, 415, 501) },
  { name: 'http-408', class: 'timeout', matches: status(408, 504) },
  { name: 'http-conflict', class: 'conflict', matches: status(409, 412) },
  { name: 'http-413', class: 'too_large', matches: status(413) },
  { name: 'http-429', class: 'rate_limited', matches: status(429) },
  { name: 'http-5xx', class: 'service_unavailable', matches: serverError },
  { name: 'no-entry', class: 'not_found', matches: code('ENOENT', 'ENOTDIR') },
  { name: 'no-access', class: 'missing_permission', matches: code('EACCES', 'EPERM', 'EROFS') },
  { name: 'exists', class: 'conflict', matches: code('EEXIST', 'ENOTEMPTY') },
  { name: 'slow-network', class: 'timeout', matches: code('ETIMEDOUT', 'ESOCKETTIMEDOUT') },
  {
    name: 'network',
    class: 'service_unavailable',
    matches: code('ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'),
  },
]

const MODEL_RULES: readonly Rule<ModelErrorFacts>[] = [
  { name: 'model-timeout', class: 'timeout', matches: ({ kind }) => kind === 'idle-timeout' || kind === 'total-timeout' },
  { name: 'model-refused', class: 'blocked_by_policy', matches: ({ kind }) => kind === 'refused' },
  { name: 'model-unsupported', class: 'unsupported', matches: ({ kind }) => kind === 'unsupported' },
  { name: 'model-context', class: 'too_large', matches: code('context_length_exceeded', 'request_too_large') },
  { name: 'model-quota', class: 'quota_exhausted', matches: code('insufficient_quota', 'billing_error') },
  { name: 'model-key', class: 'bad_credentials', matches: status(401, 403) },
  { name: 'model-402', class: 'quota_exhausted', matches: status(402) },
  { name: 'model-404', class: 'not_found', matches: status(404) },
  { name: 'model-408', class: 'timeout', matches: status(408) },
  { name: 'model-413', class: 'too_large', matches: status(413) },
  { name: 'model-429', class: 'rate_limited', matches: status(429) },
  { name: 'model-4xx', class: 'invalid_input', matches: (facts) => (facts.httpStatus ?? 0) >= 400 && !serverError(facts) },
  { name: 'model-unreachable', class: 'model_unreachable', matches: () => true },
]

/** Why a tool call failed, from what is known for sure. Pure; never throws. */
export function classifyOutcome(facts: OutcomeFacts): Failure {
  if (facts.failure) return facts.failure
  const rule = TOOL_RULES.find(({ matches }) => matches(facts))
  if (!rule) return describe('unknown', { rule: 'none' })
  return describe(rule.class, { rule: rule.name, ...retryAfter(facts), ...fact(facts) })
}

/** Why a model call failed. Pure; never throws. */
export function classifyModelError(facts: ModelErrorFacts): Failure {
  // The last rule matches everything.
  const rule = MODEL_RULES.find(({ matches }) => matches(facts))!
  return describe(rule.class, {
    rule: rule.name,
    words: MODEL_WORDING[rule.class],
    ...retryAfter(facts),
    fact: facts.httpStatus === undefined ? facts.kind : `status ${facts.httpStatus}`,
  })
}

/** A failure whose class is already known; `words` replace the standard ones. */
export function describe(
  failureClass: FailureClass,
  more: {
    readonly rule: string
    readonly fact?: string
    readonly retryAfterMs?: number
    readonly words?: { readonly cause?: string; readonly next?: string }
  },
): Failure {
  const category = FAILURE_CATEGORIES[failureClass]
  return {
    class: failureClass,
    category,
    cause: more.words?.cause ?? WORDING[failureClass].cause,
    next: more.words?.next ?? WORDING[failureClass].next,
    recoverable: category === 'transient',
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
    evidence: { rule: more.rule, ...(more.fact === undefined ? {} : { fact: more.fact }) },
  }
}

const retryAfter = ({ retryAfterMs }: { readonly retryAfterMs?: number }) =>
  retryAfterMs === undefined ? {} : { retryAfterMs }

function fact(facts: OutcomeFacts): { fact?: string } {
  if (facts.httpStatus !== undefined) return { fact: `status ${facts.httpStatus}` }
  if (facts.exitCode !== undefined) return { fact: `exit code ${facts.exitCode}` }
  if (facts.errorCode !== undefined) return { fact: facts.errorCode }
  return {}
}
