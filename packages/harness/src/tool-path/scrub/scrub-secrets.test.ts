import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScrubCase } from './cases/case.ts'
import { LABELLED_CASES } from './cases/labelled-cases.ts'
import { LOOK_ALIKE_CASES } from './cases/look-alike-cases.ts'
import { TOKEN_CASES } from './cases/token-cases.ts'
import { SPELLED_OUT_CASES } from './cases/spelled-out-cases.ts'
import { scrubSecrets } from './scrub-secrets.ts'

const SECRET_CASES = [...TOKEN_CASES, ...LABELLED_CASES, ...SPELLED_OUT_CASES]
const ALL_CASES = [...SECRET_CASES, ...LOOK_ALIKE_CASES]

/** Pieces that meet each other in unlucky ways: names, signs, quotes, escapes, beginnings of tokens. */
const PIECES = [
  'password',
  'token',
  'api_key',
  'Authorization',
  'Cookie',
  'Bearer ',
  'пароль',
  '密码',
  'next_page_token',
  ':',
  '=',
  ': ',
  ' = ',
  '":"',
  String.raw`\":\"`,
  "='",
  ' is ',
  '\n',
  '\r\n',
  String.raw`\n`,
  '%3D',
  '%26',
  '&',
  '"',
  "'",
  '`',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '|',
  ';',
  ',',
  '://',
  '@',
  '/',
  '.',
  '--',
  '$',
  'ghp_',
  'sk-',
  'AKIA',
  'eyJ',
  'xoxb-',
  'SG.',
  ':AA',
  'Q~',
  '-us12',
  'curl -u a:',
  'mysql -p',
  'identified by ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END PRIVATE KEY-----',
  '[secret]',
  '[secret:jwt]',
  '[secret',
  '${X}',
]
const body = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefgXYZ0123456789+/_-')),
  minLength: 1,
  maxLength: 48,
})
const bait = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), body), { minLength: 1, maxLength: 14 })
  .map((pieces) => pieces.join(''))

function isRight({ text, secrets, keep }: ScrubCase): boolean {
  const scrubbed = scrubSecrets(text)
  return (
    secrets.every((secret) => !scrubbed.includes(secret)) && keep.every((kept) => scrubbed.includes(kept))
  )
}

describe('the labelled cases', () => {
  it.each(SECRET_CASES)('hide $name and keep the rest', ({ text, secrets, keep }) => {
    const scrubbed = scrubSecrets(text)
    expect(secrets.filter((secret) => scrubbed.includes(secret))).toEqual([])
    expect(keep.filter((kept) => !scrubbed.includes(kept))).toEqual([])
  })

  it.each(LOOK_ALIKE_CASES)('keep $name', ({ text }) => {
    expect(scrubSecrets(text)).toBe(text)
  })

  it('hide at least 98 of 100 secrets and change at most 2 of 60 look-alikes', () => {
    const hidden = SECRET_CASES.filter(isRight).length
    const intact = LOOK_ALIKE_CASES.filter(isRight).length
    console.log(
      `scrub: ${hidden} of ${SECRET_CASES.length} texts freed of their secrets, ` +
        `${intact} of ${LOOK_ALIKE_CASES.length} look-alikes intact`,
    )
    expect(hidden / SECRET_CASES.length).toBeGreaterThanOrEqual(0.98)
    expect(intact / LOOK_ALIKE_CASES.length).toBeGreaterThanOrEqual(58 / 60)
  })
})

describe('the mark that replaces a secret', () => {
  const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('')

  it('names the kind of a recognised token', () => {
    expect(scrubSecrets(`using ${token} now`)).toBe('using [secret:github-token] now')
  })

  it('keeps the name of a labelled value', () => {
    expect(scrubSecrets('DB_PASSWORD=q7Kz0vX2mP')).toBe('DB_PASSWORD=[secret]')
    expect(scrubSecrets('{"password": "q7Kz0vX2mP", "port": 1}')).toBe('{"password": "[secret]", "port": 1}')
  })

  it('keeps host and user of a URL and the scheme of a header', () => {
    expect(scrubSecrets('redis://app:q7Kz0vX2mP@cache:6379/0')).toBe('redis://app:[secret]@cache:6379/0')
    expect(scrubSecrets('Authorization: Bearer q7Kz0vX2mPa8')).toBe('Authorization: Bearer [secret]')
  })

  it('replaces a private key as a whole', () => {
    const key = `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\n${'aB3+'.repeat(16)}\n`
    expect(scrubSecrets(`a\n${key}${'-'.repeat(5)}END PRIVATE KEY${'-'.repeat(5)}\nb`)).toBe(
      'a\n[secret:private-key]\nb',
    )
  })

  it('replaces a token used as the user of a URL', () => {
    expect(scrubSecrets(`https://${token}:x-oauth-basic@github.com/a`)).not.toContain(token)
  })
})

describe('scrubSecrets', () => {
  it('is deterministic, and scrubbing again changes nothing', () => {
    for (const { text } of ALL_CASES) {
      const scrubbed = scrubSecrets(text)
      expect(scrubSecrets(text)).toBe(scrubbed)
      expect(scrubSecrets(scrubbed)).toBe(scrubbed)
    }
  })

  it('changes nothing the second time, for any text', () => {
    fc.assert(
      fc.property(bait, (text) => {
        const scrubbed = scrubSecrets(text)
        expect(scrubSecrets(scrubbed)).toBe(scrubbed)
      }),
      { numRuns: 2000, seed: 7 },
    )
  })

  it('keeps JSON valid, also JSON inside its strings', () => {
    const value = fc.record({
      note: bait,
      password: fc.oneof(bait, fc.integer(), fc.boolean(), fc.constant(null)),
      headers: fc.record({ authorization: bait, cookie: bait }),
      inner: fc.record({ token: bait, count: fc.integer() }).map((inner) => JSON.stringify(inner)),
    })
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (written, indent) => {
        const scrubbed: unknown = JSON.parse(scrubSecrets(JSON.stringify(written, null, indent)))
        expect(Object.keys(scrubbed as object)).toEqual(['note', 'password', 'headers', 'inner'])
      }),
      { numRuns: 1000, seed: 7 },
    )
  })

  it('quotes the mark where a bare number stood in JSON', () => {
    expect(scrubSecrets('{"password":48151623,"n":1}')).toBe('{"password":"[secret]","n":1}')
    expect(scrubSecrets(String.raw`{"body":"{\"password\":48151623}"}`)).toBe(
      String.raw`{"body":"{\"password\":\"[secret]\"}"}`,
    )
  })

  it('never throws for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(typeof scrubSecrets(text)).toBe('string')
      }),
      { numRuns: 500 },
    )
  })

  it('finds a secret at the end of a long text', () => {
    const text = `${'noise '.repeat(40_000)}SMTP_PASSWORD=q7Kz0vX2mP${' tail'.repeat(40_000)}`
    expect(scrubSecrets(text)).toBe(text.replace('q7Kz0vX2mP', '[secret]'))
  })

  it.each([
    'password=',
    'token: ',
    'api key ',
    '"password":"',
    String.raw`\"password\":\"`,
    'eyJ',
    'eyJaaaaaaaa.eyJ..',
    '://a:b',
    '://',
    '-----BEGIN PRIVATE KEY-----',
    'cookie=a;',
    '; path=',
    'sk-',
    'AKIA',
    '.abcdef.',
    'curl -u ',
    '<password>',
    'password | ',
    'password is ',
    'пароль: ',
    '[secret',
    '123456789:AA',
    '\\',
    '"',
    '&code=a',
    'Bearer+xxxxxxxx',
    'Basic+',
    'eyJ-',
    '_mmk',
    'htpasswd -bbbbbbbb ',
    '%3A%2F%2F%3Aa%3Aa',
  ])('takes linear time on bait made of %j', (piece) => {
    const text = piece.repeat(Math.ceil(2 ** 20 / piece.length))
    const started = performance.now()
    scrubSecrets(text)
    // Far above what it takes, far below what anything quadratic would.
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('a text of many megabytes in one piece', () => {
  it.each(['sk-', 'sk-a', 'ghp_a', 'AKIA', 'eyJ', 'password=', '-----BEGIN ', 'key: "'])(
    'of nothing but %j is scrubbed',
    (unit) => {
      const text = unit.repeat(9_000_000 / unit.length)
      const scrubbed = scrubSecrets(text)
      expect(scrubSecrets(scrubbed)).toBe(scrubbed)
    },
  )
})
