import { describe, expect, it } from 'vitest'
import { accountLabel } from './account-label.ts'

const ISSUER = 'https://service.example'
const CLIENT = 'client-1'
const EXPECTED = { issuer: ISSUER, clientId: CLIENT }

const tokenOf = (claims: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`
const claims = (more: object) => ({ iss: ISSUER, aud: CLIENT, sub: '1f8a', ...more })

describe('the label of an account', () => {
  it.each([
    ['the address', { email: 'ada@example.org', name: 'Ada' }, 'ada@example.org'],
    ['the user name', { preferred_username: 'ada', name: 'Ada' }, 'ada'],
    ['the name', { name: 'Ada', email: '' }, 'Ada'],
  ])('is %s', (_, more, label) => {
    expect(accountLabel(tokenOf(claims(more)), EXPECTED)).toBe(label)
  })

  it('is one clean line, and not a long one', () => {
    const label = accountLabel(tokenOf(claims({ name: `A\nda\u202e${'a'.repeat(500)}` })), EXPECTED)
    expect(label).toMatch(/^A da+$/)
    expect(label!.length).toBeLessThanOrEqual(80)
  })

  it('may come from a token that is for others, too', () => {
    const token = tokenOf({ ...claims({ name: 'Ada' }), aud: ['another', CLIENT] })
    expect(accountLabel(token, EXPECTED)).toBe('Ada')
  })

  it.each([
    ['no token', undefined],
    ['something else than a token', 'nonsense'],
    ['a token that holds no object', tokenOf('ada')],
    ['a token that is no JSON', 'e30.bm9wZQ.c2ln'],
    ['names that are none', tokenOf(claims({ email: 7, name: ['Ada'] }))],
    ['a token of another service', tokenOf({ ...claims({ name: 'Ada' }), iss: 'https://other.example' })],
    ['a token for somebody else', tokenOf({ ...claims({ name: 'Ada' }), aud: 'another' })],
  ])('is not known from %s', (_, token) => {
    expect(accountLabel(token, EXPECTED)).toBeUndefined()
  })
})
