import { describe, expect, it } from 'vitest'
import { toConnectionState } from './account-state.ts'

describe('an account at Composio', () => {
  it.each([
    ['ACTIVE', 'active'],
    ['connected', 'active'],
    ['EXPIRED', 'expired'],
    ['FAILED', 'failed'],
    ['ERROR', 'failed'],
    ['INITIALIZING', 'pending'],
    ['INITIATED', 'pending'],
    ['PENDING', 'pending'],
    ['INACTIVE', 'revoked'],
    ['REVOKED', 'revoked'],
    ['DELETED', 'revoked'],
    ['constructor', 'failed'],
    [undefined, 'failed'],
  ])('that is %s is %s for us', (status, ours) => {
    const state = toConnectionState({ status })
    expect(state.status).toBe(ours)
    expect(state.reason === undefined).toBe(ours === 'active')
  })

  it('is revoked when it is disabled although its sign-in is good', () => {
    expect(toConnectionState({ status: 'ACTIVE', is_disabled: true })).toMatchObject({ status: 'revoked' })
  })

  it('quotes an unknown status and reason, sanitized and cut', () => {
    const state = toConnectionState({ status: 'LIMBO\u202e\n', status_reason: `no\n${'x'.repeat(500)}` })
    expect(state.status).toBe('failed')
    expect(state.reason).toMatch(/"LIMBO"\. \(no x+\)$/)
    expect(state.reason!.length).toBeLessThan(300)
  })

  it.each([
    [{ alias: 'Work', data: { email: 'ada@example.com' }, word_id: 'gmail_red-castle' }, 'Work'],
    [
      { alias: null, state: { val: { login: 'ada' } }, data: { email: 'ada@example.com' } },
      'ada@example.com',
    ],
    [{ alias: ' ', word_id: 'gmail_red-castle' }, 'gmail_red-castle'],
    [{ state: { val: { access_token: 'sk-secret', id: 7 } } }, undefined],
  ])('is labelled by what tells it from others: %j', (account, label) => {
    expect(toConnectionState({ status: 'ACTIVE', ...account }).label).toBe(label)
  })
})
