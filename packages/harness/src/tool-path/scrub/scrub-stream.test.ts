import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { LABELLED_CASES } from './cases/labelled-cases.ts'
import { LOOK_ALIKE_CASES } from './cases/look-alike-cases.ts'
import { TOKEN_CASES } from './cases/token-cases.ts'
import { SPELLED_OUT_CASES } from './cases/spelled-out-cases.ts'
import { createKnownSecrets } from './known-secrets.ts'
import { scrubSecrets } from './scrub-secrets.ts'
import { createScrubStream, WINDOW_CHARS } from './scrub-stream.ts'

const TEXTS = [...TOKEN_CASES, ...LABELLED_CASES, ...SPELLED_OUT_CASES, ...LOOK_ALIKE_CASES].map(
  ({ text }) => text,
)
const frame = (word: string): string => `${'-'.repeat(5)}${word} PRIVATE KEY${'-'.repeat(5)}`
const KEY_LINE = 'aB3+'.repeat(16)

function pushAll(chunks: Iterable<string>, stream = createScrubStream()): string {
  let shown = ''
  for (const chunk of chunks) shown += stream.push(chunk)
  return shown + stream.end()
}

function* cutAt(text: string, sizes: readonly number[]): Generator<string> {
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1
    yield text.slice(at, at + size)
    at += size
  }
}

it('the scrub stream gives the same as scrubbing the whole text, for any cut', () => {
  const text = fc
    .array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 8 })
    .chain((texts) => fc.constantFrom('\n', '\r\n', '\n\n').map((joint) => texts.join(joint)))
    .filter((joined) => joined.length < WINDOW_CHARS)
  const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(text, sizes, (whole, cuts) => {
      expect(pushAll(cutAt(whole, cuts))).toBe(scrubSecrets(whole))
    }),
    { numRuns: 400 },
  )
})

it.each(TEXTS.map((text, index) => [index, text] as const))(
  'the scrub stream hides text %i character by character',
  (_, text) => {
    expect(pushAll(text)).toBe(scrubSecrets(text))
  },
)

it('the scrub stream releases whole lines before the end', () => {
  const stream = createScrubStream()
  expect(stream.push('first\nsecond\n')).toBe('first\n')
  expect(stream.push('third\n')).toBe('second\n')
  expect(stream.end()).toBe('third\n')
})

it('the scrub stream holds a line whose value may be on the next line', () => {
  const stream = createScrubStream()
  const shown = [
    stream.push('- name: DB_PASSWORD\n'),
    stream.push('  value: q7Kz0vX2mP\n'),
    stream.push('- name: A\n'),
  ]
  expect(shown.join('') + stream.end()).toBe('- name: DB_PASSWORD\n  value: [secret]\n- name: A\n')
})

it('the scrub stream holds a private key until its end', () => {
  const stream = createScrubStream()
  expect(stream.push(`ready\n${frame('BEGIN')}\n${KEY_LINE}\n${KEY_LINE}\n`)).toBe('ready\n')
  expect(stream.push(`${KEY_LINE}\n`)).toBe('')
  expect(stream.push(`${frame('END')}\nafter\nlast\n`)).toBe('[secret:private-key]\nafter\n')
  expect(stream.end()).toBe('last\n')
})

it('the scrub stream never holds more than its window, even for a key without an end', () => {
  const stream = createScrubStream()
  let pushed = 0
  let shown = 0
  for (let line = 0; line < 2000; line++) {
    const text = line === 0 ? `${frame('BEGIN')}\n` : `line ${line} of something else\n`
    pushed += text.length
    shown += stream.push(text).length
    expect(pushed - shown).toBeLessThanOrEqual(WINDOW_CHARS + text.length)
  }
})

it('the scrub stream hides secrets in a line longer than the window', () => {
  const secret = 'q7Kz0vX2mPa8Rt5L'
  const text = Array.from({ length: 4000 }, (_, at) => `{"n":${at},"password":"${secret}"}`).join(',')
  const shown = pushAll(cutAt(text, [700, 13, 4096, 1]))
  expect(shown).not.toContain(secret)
  expect(shown).toBe(scrubSecrets(text))
})

it('the scrub stream hides known credentials across pieces', () => {
  const known = createKnownSecrets(['our very own secret'])
  expect(pushAll(['a our ve', 'ry own sec', 'ret b\nc'], createScrubStream(known))).toBe(
    'a [secret:stored-credential] b\nc',
  )
})
