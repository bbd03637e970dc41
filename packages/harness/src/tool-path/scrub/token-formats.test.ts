import { expect, it } from 'vitest'
import { scrubSecrets } from './scrub-secrets.ts'
import type { TokenFormat } from './token-formats.ts'
import { TOKEN_FORMATS } from './token-formats.ts'

const DIGITS = '4815162342108'
const HEX = '9f3a07c4d18e6b25'
const MIXED = 'aZ3kQ9xL0vB7mT2pR8wN5cJ1'
const UUID = `${HEX.slice(0, 8)}-4a1b-4c2d-9e3f-0a1b2c3d4e5f`

/** Bodies of many shapes; the first that a format accepts is taken for it. */
const BODIES = [
  MIXED.slice(0, 24),
  MIXED.slice(0, 14) + MIXED.repeat(8),
  HEX.repeat(2),
  HEX.repeat(8),
  UUID,
  '14',
  MIXED.slice(0, 16).toUpperCase(),
  MIXED.slice(0, 18).toUpperCase().repeat(3),
  MIXED.repeat(2).slice(0, 43).toLowerCase(),
  MIXED.toLowerCase().repeat(2).slice(0, 30),
  MIXED.repeat(2).slice(0, 32),
  `${DIGITS}/${HEX.repeat(4)}`,
  `${DIGITS}:${HEX.repeat(2)}`,
  `${DIGITS}_${MIXED.repeat(2).slice(0, 32).toUpperCase()}`,
  `${HEX.repeat(2)}a1`,
  `${MIXED.slice(0, 22)}.${MIXED}.${MIXED.slice(0, 20)}`,
  `${MIXED.slice(0, 14)}.${HEX.repeat(4)}`,
  `${MIXED.slice(0, 12)}_${MIXED}`,
  `${MIXED.slice(0, 13)}!${MIXED.repeat(3)}`,
  `${HEX}${HEX.slice(0, 8)}-${HEX.repeat(8)}`,
  `${MIXED}.${MIXED.repeat(4)}`,
  `${MIXED.toUpperCase()}.${MIXED.repeat(2).toUpperCase()}`,
  `${MIXED.slice(0, 6)}-${MIXED.slice(0, 6)}-${'AB12C-'.repeat(3)}AB12C`.toUpperCase(),
  HEX.repeat(3).slice(0, 40),
  '',
]

function exampleOf({ body, before }: TokenFormat, start: string): string {
  const found = BODIES.find((candidate) => new RegExp(`^(?:${body})$`).test(candidate))
  if (found === undefined) throw new Error(`no body for ${body}`)
  const length = before?.max ?? 0
  const lead = [DIGITS, HEX.repeat(2), MIXED.repeat(2)].find((letters) => {
    const tried = letters.slice(0, length)
    return tried.length === length && Array.from(tried).every((letter) => before?.character.test(letter))
  })
  return `${(lead ?? '').slice(0, length)}${start}${found}`
}

const STARTS = TOKEN_FORMATS.flatMap((format) => format.starts.split(' ').map((start) => ({ start, format })))

it.each(STARTS)('a token that begins with $start is recognised', ({ start, format }) => {
  const token = exampleOf(format, start)
  const secret = format.address ? token.slice(start.length) : token
  expect(scrubSecrets(`got ${token} here`)).not.toContain(secret)
  expect(scrubSecrets(`got ${token} here`)).toMatch(/^got .* here$/)
})

it.each(STARTS.filter(({ format }) => !format.before))('$start alone, and masked, is a word', ({ start }) => {
  for (const text of [`a ${start} b`, `a ${start}… b`, `a ${start}************ b`])
    expect(scrubSecrets(text)).toBe(text)
})
