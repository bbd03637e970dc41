import { describe, expect, it } from 'vitest'
import type { FailureClass } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { ModelErrorFacts } from '../turn/errors.ts'
import type { OutcomeFacts } from '../turn/tool/tool-outcome.ts'
import { classifyModelError, classifyOutcome } from './classify.ts'
import { WORDING } from './wording.ts'

describe('the facts of a failed call', () => {
  it.each<[OutcomeFacts, FailureClass]>([
    [{ timedOut: true }, 'timeout'],
    [{ interrupted: true }, 'interrupted'],
    [{ cancelled: true }, 'cancelled'],
    [{ deniedBy: 'policy' }, 'blocked_by_policy'],
    [{ deniedBy: 'user' }, 'denied_by_user'],
    [{ deniedBy: 'expiry' }, 'approval_expired'],
    [{ errorCode: 'unknown_tool' }, 'not_found'],
    [{ errorCode: 'invalid_arguments' }, 'invalid_input'],
    [{ exitCode: 1 }, 'command_failed'],
    [{ exitCode: 126 }, 'missing_permission'],
    [{ exitCode: 127 }, 'missing_app'],
    [{ httpStatus: 400 }, 'invalid_input'],
    [{ httpStatus: 401 }, 'bad_credentials'],
    [{ httpStatus: 402 }, 'quota_exhausted'],
    [{ httpStatus: 403 }, 'missing_permission'],
    [{ httpStatus: 404 }, 'not_found'],
    [{ httpStatus: 408 }, 'timeout'],
    [{ httpStatus: 409 }, 'conflict'],
    [{ httpStatus: 410 }, 'not_found'],
    [{ httpStatus: 413 }, 'too_large'],
    [{ httpStatus: 415 }, 'unsupported'],
    [{ httpStatus: 422 }, 'invalid_input'],
    [{ httpStatus: 429 }, 'rate_limited'],
    [{ httpStatus: 500 }, 'service_unavailable'],
    [{ httpStatus: 503 }, 'service_unavailable'],
    [{ httpStatus: 504 }, 'timeout'],
    [{ errorCode: 'ENOENT' }, 'not_found'],
    [{ errorCode: 'EACCES' }, 'missing_permission'],
    [{ errorCode: 'ECONNREFUSED' }, 'service_unavailable'],
    [{ errorCode: 'ETIMEDOUT' }, 'timeout'],
    [{}, 'unknown'],
    [{ exitCode: 0 }, 'unknown'],
  ])('%j is %s', (facts, failureClass) => {
    expect(classifyOutcome(facts).class).toBe(failureClass)
  })

  it('are overruled by a deadline', () => {
    expect(classifyOutcome({ timedOut: true, httpStatus: 404, exitCode: 1, cancelled: true }).class).toBe(
      'timeout',
    )
  })

  it('keep a failure that was classified earlier', () => {
    const failure = classifyOutcome({ httpStatus: 401 })
    expect(classifyOutcome({ failure, httpStatus: 500 })).toBe(failure)
  })

  it('keep the time to wait, and the failure names its rule', () => {
    expect(classifyOutcome({ httpStatus: 429, retryAfterMs: 1_500 })).toMatchObject({
      retryAfterMs: 1_500,
      evidence: { rule: 'http-429', fact: 'status 429' },
    })
    expect(classifyOutcome({ httpStatus: 404 })).not.toHaveProperty('retryAfterMs')
  })
})

describe('every failure class', () => {
  const classes = Object.keys(FAILURE_CATEGORIES) as FailureClass[]

  it.each(classes)('%s has a reason and a next step, in plain words', (failureClass) => {
    const { cause, next } = WORDING[failureClass]
    for (const words of [cause, next]) {
      expect(words).toMatch(/^[A-Z].*\.$/)
      expect(words).not.toMatch(/error code|exception|stack|null|undefined/i)
    }
  })

  it('is retryable exactly when it is transient', () => {
    const facts: OutcomeFacts[] = [
      { timedOut: true },
      { httpStatus: 429 },
      { httpStatus: 503 },
      { deniedBy: 'user' },
      { httpStatus: 404 },
      {},
    ]
    for (const one of facts) {
      const { recoverable, category } = classifyOutcome(one)
      expect(recoverable).toBe(category === 'transient')
    }
  })

  it('of a declined call is never retryable', () => {
    for (const deniedBy of ['user', 'policy', 'expiry'] as const) {
      expect(classifyOutcome({ deniedBy, httpStatus: 503 })).toMatchObject({
        recoverable: false,
        category: 'declined',
      })
    }
  })
})

describe('the facts of a failed model call', () => {
  const model = 'test/model'
  const facts = (more: Partial<ModelErrorFacts>): ModelErrorFacts => ({
    kind: 'http',
    model,
    retryable: false,
    ...more,
  })

  it.each<[Partial<ModelErrorFacts>, FailureClass]>([
    [{ kind: 'idle-timeout' }, 'timeout'],
    [{ kind: 'total-timeout' }, 'timeout'],
    [{ kind: 'refused' }, 'blocked_by_policy'],
    [{ kind: 'unsupported' }, 'unsupported'],
    [{ kind: 'network' }, 'model_unreachable'],
    [{ kind: 'cut' }, 'model_unreachable'],
    [{ kind: 'malformed' }, 'model_unreachable'],
    [{ httpStatus: 400 }, 'invalid_input'],
    [{ httpStatus: 401 }, 'bad_credentials'],
    [{ httpStatus: 402 }, 'quota_exhausted'],
    [{ httpStatus: 403 }, 'bad_credentials'],
    [{ httpStatus: 404 }, 'not_found'],
    [{ httpStatus: 408 }, 'timeout'],
    [{ httpStatus: 413 }, 'too_large'],
    [{ httpStatus: 429 }, 'rate_limited'],
    [{ httpStatus: 500 }, 'model_unreachable'],
    [{ httpStatus: 529 }, 'model_unreachable'],
    [{ httpStatus: 400, errorCode: 'context_length_exceeded' }, 'too_large'],
    [{ httpStatus: 429, errorCode: 'insufficient_quota' }, 'quota_exhausted'],
  ])('%j is %s', (known, failureClass) => {
    expect(classifyModelError(facts(known)).class).toBe(failureClass)
  })

  it('of a model that cannot see say to choose one that can', () => {
    expect(classifyModelError(facts({ httpStatus: 400, errorCode: 'images_unsupported' }))).toMatchObject({
      class: 'unsupported',
      detail: { kind: 'images-unsupported' },
      next: expect.stringContaining('Choose a model that can see images'),
    })
  })

  it('give a text about the model, not about an action', () => {
    for (const httpStatus of [401, 402, 404, 413, 429]) {
      const { cause, next } = classifyModelError(facts({ httpStatus }))
      expect(`${cause} ${next}`).toMatch(/AI model|model/)
    }
  })

  it('give a text without provider internals', () => {
    const failure = classifyModelError(facts({ httpStatus: 500, errorCode: 'sk-secret' }))
    expect(JSON.stringify(failure)).not.toContain('sk-secret')
  })
})
