import { describe, expect, it } from 'vitest'
import { createKnownSecrets, hideKnownIn } from './known-secrets.ts'
import { scrubSecrets } from './scrub-secrets.ts'

const SECRET = 'open "sesame"/please & thank+you'
const known = createKnownSecrets([SECRET, 'plain-words-only'])
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a known credential is hidden', () => {
  it.each([
    ['as it is', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    [
      'in a URL with small hexadecimal digits',
      encodeURIComponent(SECRET).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ['in a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON inside JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['in escapes of JSON', Array.from(SECRET, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('')],
    ['in HTML', SECRET.replaceAll('&', '&amp;')],
    ['in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
    ['in large hexadecimal digits', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['in base64', base64(SECRET).replace(/=+$/, '').slice(0, -1)],
  ])('%s', (_, form) => {
    expect(scrubSecrets(`before ${form} after`, known)).toBe('before [secret:stored-credential] after')
  })

  it.each(['', 'a', 'ab', 'abc', 'user:'])('in base64 behind %j', (before) => {
    const encoded = base64(`${before}plain-words-only`)
    const inner = base64(`${before}plain-words-only`).slice(4, -4)
    expect(scrubSecrets(`x ${encoded} y`, known)).not.toContain(inner)
  })

  it('at any place in any text', () => {
    for (let pad = 0; pad < 40; pad++) {
      const text = `${'z'.repeat(pad)}plain-words-only${'z'.repeat(pad % 7)}`
      expect(scrubSecrets(text, known)).toBe(text.replace('plain-words-only', '[secret:stored-credential]'))
    }
  })

  it('in a text of many pieces', () => {
    const text = `${'noise '.repeat(10_919)}plain-words-only${' noise'.repeat(10_000)}`
    expect(scrubSecrets(text, known)).toBe(text.replace('plain-words-only', '[secret:stored-credential]'))
  })

  it('line by line when it has several lines', () => {
    const lines = ['first line of a long stored value', 'second line of a long stored value']
    const scrubbed = scrubSecrets(`| ${lines[1]} |`, createKnownSecrets([lines.join('\n')]))
    expect(scrubbed).toBe('| [secret:stored-credential] |')
  })
})

it('a known credential is hidden in a number and in a key of a value', () => {
  const pin = createKnownSecrets(['8347562910384'])
  expect(hideKnownIn({ n: 8347562910384, one: 1, 'x 8347562910384': [true] }, pin)).toEqual({
    n: '[secret:stored-credential]',
    one: 1,
    'x [secret:stored-credential]': [true],
  })
})

it('a known value is not found in the marks that replace it', () => {
  const odd = createKnownSecrets(['stored-credential', 'private-key'])
  const scrubbed = scrubSecrets('a stored-credential b', odd)
  expect(scrubSecrets(scrubbed, odd)).toBe(scrubbed)
})

it('known values too short to differ from words are ignored', () => {
  expect(scrubSecrets('the admin said', createKnownSecrets(['admin', '']))).toBe('the admin said')
})

it('no known values change nothing', () => {
  expect(scrubSecrets('nothing to see', createKnownSecrets([]))).toBe('nothing to see')
})
