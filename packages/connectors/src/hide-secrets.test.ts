import { describe, expect, it } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'

const SECRET = 'sk"5f/+=é'

describe('a secret in a text', () => {
  it.each([
    SECRET,
    JSON.stringify({ key: SECRET }),
    `https://example.com/?key=${encodeURIComponent(SECRET)}`,
    `Basic ${Buffer.from(SECRET).toString('base64')}`,
  ])('is hidden in %s', (text) => {
    const hidden = hideSecrets(`before ${text} after ${text}`, [undefined, SECRET])
    expect(hidden).toContain('[secret]')
    expect(hidden).not.toContain('5f')
    expect(hidden).toMatch(/^before .* after /)
  })

  it('is left alone when it is too short to be one', () => {
    expect(hideSecrets('a cat sat', ['cat', ''])).toBe('a cat sat')
  })

  it('is not read as a pattern', () => {
    expect(hideSecrets('abcdefg $& .*.*.*.*', ['.*.*.*.*'])).toBe('abcdefg $& [secret]')
  })
})
