import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure, FailureClass, FailureDetail } from '@capstan/protocol'
import type { ModelErrorFacts } from '../turn/errors.ts'
import type { OutcomeFacts } from '../turn/tool/tool-outcome.ts'
import type { Effect } from '../turn/tool/tool.ts'
import type { TextVerdict } from './classify-text.ts'
import { classifyText } from './classify-text.ts'
import { findRetryDelay } from './find-retry-delay.ts'
import { isBareRefusal } from './is-bare-refusal.ts'
import { isLeftOpen } from './is-left-open.ts'
import { classOfStatus, mayRatherBe } from './status-classes.ts'
import { ATTACHMENT_ADVICE, MODEL_WORDING, WORDING } from './wording.ts'

/** A failed call: its facts and its text. */
export interface FailedOutcome extends OutcomeFacts {
  readonly text?: string
  readonly tool?: string
  /** Of a call that was allowed to run. Absent: nothing ran, or it is not known. */
  readonly effect?: Effect
  /** It ran in a connected app. */
  readonly inApp?: boolean
}

interface Known {
  readonly name: string
  readonly class: FailureClass
  /** Classes to which the text may narrow this one: a fact that can mean several things. */
  readonly orRather?: readonly FailureClass[]
}

interface Rule<Facts> extends Known {
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

// A tool of ours may name the class itself.
const OWN_CODES: readonly Rule<OutcomeFacts>[] = (Object.keys(FAILURE_CATEGORIES) as FailureClass[]).map(
  (failureClass) => ({ name: 'named-by-tool', class: failureClass, matches: code(failureClass) }),
)

// The first rule that matches wins, so the specific stand above the general.
const OUTCOME_RULES: readonly Rule<OutcomeFacts>[] = [
  { name: 'timed-out', class: 'timeout', matches: (facts) => facts.timedOut === true },
  { name: 'interrupted', class: 'interrupted', matches: (facts) => facts.interrupted === true },
  { name: 'cancelled', class: 'cancelled', matches: (facts) => facts.cancelled === true },
  { name: 'denied-by-policy', class: 'blocked_by_policy', matches: (facts) => facts.deniedBy === 'policy' },
  { name: 'denied-by-user', class: 'denied_by_user', matches: (facts) => facts.deniedBy === 'user' },
  { name: 'denied-by-expiry', class: 'approval_expired', matches: (facts) => facts.deniedBy === 'expiry' },
  { name: 'unknown-tool', class: 'not_found', matches: code('unknown_tool') },
  { name: 'bad-arguments', class: 'invalid_input', matches: code('invalid_arguments') },
  { name: 'spawn-depth', class: 'unsupported', matches: code('spawn_depth_exceeded') },
  ...OWN_CODES,
  { name: 'exit-127', class: 'missing_app', matches: (facts) => facts.exitCode === 127 },
  { name: 'exit-126', class: 'missing_permission', matches: (facts) => facts.exitCode === 126 },
  { name: 'exit-code', class: 'command_failed', matches: (facts) => (facts.exitCode ?? 0) !== 0 },
]

const SYSTEM_RULES: readonly Rule<OutcomeFacts>[] = [
  { name: 'no-entry', class: 'not_found', matches: code('ENOENT', 'ENOTDIR'), orRather: ['missing_app'] },
  { name: 'no-access', class: 'missing_permission', matches: code('EACCES', 'EPERM', 'EROFS') },
  { name: 'exists', class: 'conflict', matches: code('EEXIST', 'ENOTEMPTY') },
  { name: 'slow-network', class: 'timeout', matches: code('ETIMEDOUT', 'ESOCKETTIMEDOUT') },
  {
    name: 'network',
    class: 'service_unavailable',
    matches: code(
      'ECONNREFUSED',
      'ECONNRESET',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'EPIPE',
    ),
  },
  {
    name: 'broken-answer',
    class: 'service_unavailable',
    matches: code('broken_answer', 'internal_error'),
    orRather: ['rate_limited', 'timeout', 'bad_credentials', 'not_found', 'conflict', 'invalid_input'],
  },
]

const MODEL_RULES: readonly Rule<ModelErrorFacts>[] = [
  {
    name: 'model-timeout',
    class: 'timeout',
    matches: ({ kind }) => kind === 'idle-timeout' || kind === 'total-timeout',
  },
  { name: 'model-refused', class: 'blocked_by_policy', matches: ({ kind }) => kind === 'refused' },
  { name: 'model-images', class: 'unsupported', matches: code('images_unsupported') },
  { name: 'model-unsupported', class: 'unsupported', matches: ({ kind }) => kind === 'unsupported' },
  {
    name: 'model-context',
    class: 'too_large',
    matches: code('context_length_exceeded', 'request_too_large'),
  },
  { name: 'model-quota', class: 'quota_exhausted', matches: code('insufficient_quota', 'billing_error') },
  { name: 'model-key', class: 'bad_credentials', matches: status(401, 403) },
  { name: 'model-402', class: 'quota_exhausted', matches: status(402) },
  { name: 'model-404', class: 'not_found', matches: status(404) },
  { name: 'model-408', class: 'timeout', matches: status(408) },
  { name: 'model-413', class: 'too_large', matches: status(413) },
  { name: 'model-429', class: 'rate_limited', matches: status(429) },
  {
    name: 'model-4xx',
    class: 'invalid_input',
    matches: (facts) => (facts.httpStatus ?? 0) >= 400 && !serverError(facts),
  },
  { name: 'model-unreachable', class: 'model_unreachable', matches: () => true },
]

/**
 * Why a tool call failed: from what is known for sure, then from what the harness itself wrote into the text, then
 * from the text. Pure; never throws.
 */
export function classifyOutcome(outcome: FailedOutcome): Failure {
  if (outcome.failure) return outcome.failure
  const failure = withTries(findFailure(outcome), outcome.tries)
  if (isLeftOpen(failure, outcome)) return restate(failure, 'interrupted', 'left-open')
  // Nothing on this machine could be granted: a new sign-in, or one with more scopes, is what helps.
  if (outcome.inApp && isBareRefusal(failure, outcome))
    return restate(failure, 'bad_credentials', 'refused-by-app')
  return failure
}

const withTries = (failure: Failure, tries: number | undefined): Failure =>
  tries === undefined
    ? failure
    : { ...failure, cause: `${failure.cause} It was tried ${tries} times.`, tries }

const restate = ({ evidence }: Failure, failureClass: FailureClass, rule: string): Failure =>
  describe(failureClass, { ...evidence, rule })

function findFailure(outcome: FailedOutcome): Failure {
  const known = whatIsKnown(outcome)
  if (known && !known.orRather?.length) return fromFacts(known, outcome)
  const verdict = readText(outcome)
  if (known && !(verdict && known.orRather?.includes(verdict.class))) return fromFacts(known, outcome)
  if (!verdict) return describe('unknown', { rule: 'none' })
  return describe(verdict.class, { ...verdict, ...toWait(outcome, verdict.class) })
}

function whatIsKnown(outcome: OutcomeFacts): Known | undefined {
  return (
    OUTCOME_RULES.find(({ matches }) => matches(outcome)) ??
    knownByStatus(outcome.httpStatus) ??
    SYSTEM_RULES.find(({ matches }) => matches(outcome))
  )
}

function knownByStatus(httpStatus: number | undefined): Known | undefined {
  const failureClass = httpStatus === undefined ? undefined : classOfStatus(httpStatus)
  if (httpStatus === undefined || failureClass === undefined) return undefined
  return { name: `http-${httpStatus}`, class: failureClass, orRather: mayRatherBe(httpStatus) }
}

function fromFacts(known: Known, outcome: FailedOutcome): Failure {
  const failure = describe(known.class, {
    rule: known.name,
    ...toWait(outcome, known.class),
    ...fact(outcome),
  })
  return outcome.remedy ? { ...failure, remedy: outcome.remedy } : failure
}

// A code that is no fact to us is still a word of the other side's.
function readText({ text, tool, errorCode }: FailedOutcome): TextVerdict | undefined {
  return (
    (text === undefined ? undefined : classifyText(text, tool)) ??
    (errorCode === undefined ? undefined : classifyText(errorCode, tool))
  )
}

function toWait(
  { retryAfterMs, text }: FailedOutcome,
  failureClass: FailureClass,
): { retryAfterMs?: number } {
  if (retryAfterMs !== undefined) return { retryAfterMs }
  if (text === undefined || FAILURE_CATEGORIES[failureClass] !== 'transient') return {}
  return retryAfter({ retryAfterMs: findRetryDelay(text) })
}

/** The provider refused images, which the catalogue did not know. */
const BLIND = {
  detail: { kind: 'images-unsupported' },
  words: { cause: 'This AI model cannot look at images.', next: ATTACHMENT_ADVICE['images-unsupported'] },
} as const

/** Why a model call failed. Pure; never throws. */
export function classifyModelError(facts: ModelErrorFacts): Failure {
  // The last rule matches everything.
  const rule = MODEL_RULES.find(({ matches }) => matches(facts))!
  return describe(rule.class, {
    rule: rule.name,
    words: MODEL_WORDING[rule.class],
    ...(rule.name === 'model-images' ? BLIND : undefined),
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
    readonly detail?: FailureDetail
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
    ...(more.detail === undefined ? {} : { detail: more.detail }),
    evidence: { rule: more.rule, ...(more.fact === undefined ? {} : { fact: more.fact }) },
  }
}

const retryAfter = ({ retryAfterMs }: { readonly retryAfterMs?: number | undefined }) =>
  retryAfterMs === undefined ? {} : { retryAfterMs }

function fact(facts: OutcomeFacts): { fact?: string } {
  if (facts.httpStatus !== undefined) return { fact: `status ${facts.httpStatus}` }
  if (facts.exitCode !== undefined) return { fact: `exit code ${facts.exitCode}` }
  if (facts.errorCode !== undefined) return { fact: facts.errorCode }
  return {}
}
