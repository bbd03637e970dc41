import type { FailureClass } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { FailedOutcome } from './classify.ts'
import { classifyOutcome } from './classify.ts'

const BROKE_OFF: readonly (readonly [FailedOutcome, FailureClass])[] = [
  [{ timedOut: true }, 'timeout'],
  [{ cancelled: true }, 'cancelled'],
  [{ httpStatus: 500 }, 'service_unavailable'],
  [{ httpStatus: 502 }, 'service_unavailable'],
  [{ httpStatus: 503 }, 'service_unavailable'],
  [{ httpStatus: 504 }, 'timeout'],
  [{ errorCode: 'ECONNRESET' }, 'service_unavailable'],
  [{ errorCode: 'broken_answer' }, 'service_unavailable'],
  [{ errorCode: 'internal_error', text: 'Internal error' }, 'service_unavailable'],
  [{ text: 'HTTP 502 Bad Gateway' }, 'service_unavailable'],
  [{ text: 'socket hang up' }, 'service_unavailable'],
  [{ text: 'MCP error -32603: Internal error' }, 'service_unavailable'],
  [{ text: 'the upstream request timed out' }, 'timeout'],
  [{ text: 'The server refused the call: Server error' }, 'service_unavailable'],
  [{ httpStatus: 499 }, 'cancelled'],
]

const NEVER_LEFT: readonly (readonly [FailedOutcome, FailureClass])[] = [
  [{ errorCode: 'ECONNREFUSED' }, 'service_unavailable'],
  [{ errorCode: 'ENOTFOUND' }, 'service_unavailable'],
  [{ text: 'connect ECONNREFUSED 127.0.0.1:80' }, 'service_unavailable'],
  [{ cancelled: true, notStarted: true }, 'cancelled'],
  [{ timedOut: true, notStarted: true }, 'timeout'],
  [{ httpStatus: 429 }, 'rate_limited'],
  [{ httpStatus: 404 }, 'not_found'],
  [{ errorCode: 'internal_error', text: 'The record already exists' }, 'conflict'],
]

describe('a call that broke off', () => {
  it.each(BROKE_OFF)('after %j leaves open whether a write happened', (outcome, failureClass) => {
    expect(classifyOutcome({ ...outcome, effect: 'write' }).class).toBe('interrupted')
    expect(classifyOutcome({ ...outcome, effect: 'admin' }).class).toBe('interrupted')
    expect(classifyOutcome({ ...outcome, effect: 'read' }).class).toBe(failureClass)
    expect(classifyOutcome(outcome).class).toBe(failureClass)
  })

  it.each(NEVER_LEFT)(
    'before it left, or with a clear answer, keeps its class: %j',
    (outcome, failureClass) => {
      expect(classifyOutcome({ ...outcome, effect: 'write' }).class).toBe(failureClass)
    },
  )
})

describe('a bare refusal', () => {
  it.each<[FailedOutcome]>([
    [{ httpStatus: 403 }],
    [{ httpStatus: 403, text: 'Forbidden' }],
    [{ text: '403 Forbidden' }],
    [{ text: 'forbidden' }],
    [{ text: 'Access denied' }],
  ])('of a connected app is about its sign-in: %j', (outcome) => {
    expect(classifyOutcome({ ...outcome, inApp: true }).class).toBe('bad_credentials')
    expect(classifyOutcome(outcome).class).toBe('missing_permission')
  })

  it.each<[FailedOutcome, FailureClass]>([
    [{ httpStatus: 403, text: 'Only the owner may change this page.' }, 'missing_permission'],
    [{ httpStatus: 403, text: 'The page was not shared with this account.' }, 'missing_permission'],
    [{ errorCode: 'EACCES', text: "EACCES: permission denied, open 'a.txt'" }, 'missing_permission'],
    [{ text: "EACCES: permission denied, open 'a.txt'" }, 'missing_permission'],
    [{ httpStatus: 403, text: 'Blocked by your organization policy.' }, 'blocked_by_policy'],
    [{ deniedBy: 'policy', text: 'forbidden' }, 'blocked_by_policy'],
  ])('that says more keeps its class: %j', (outcome, failureClass) => {
    expect(classifyOutcome({ ...outcome, inApp: true }).class).toBe(failureClass)
  })
})
