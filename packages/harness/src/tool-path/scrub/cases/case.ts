/** A text with what must vanish from it and what must stay. Every value is made up when the test runs. */
export interface ScrubCase {
  readonly name: string
  readonly text: string
  readonly secrets: readonly string[]
  readonly keep: readonly string[]
}

/** Random-looking values of one case: the same in every run, and never spelled out in the repository. */
export interface Values {
  base62(length: number): string
  base64(length: number): string
  base64url(length: number): string
  hex(length: number): string
  upper(length: number): string
  digits(length: number): string
  uuid(): string
  /** `count` lines of 64 characters, as a PEM file has them. */
  lines(count: number): readonly string[]
}

const DIGITS = '0123456789'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`

/** Marks its pieces, joined, as a secret of the case, and answers them. */
type Plant = (...pieces: readonly string[]) => string

export function leaks(
  name: string,
  write: (plant: Plant, values: Values) => string,
  keep: readonly string[] = [],
): ScrubCase {
  const secrets: string[] = []
  const plant: Plant = (...pieces) => {
    const secret = pieces.join('')
    secrets.push(secret)
    return secret
  }
  const text = write(plant, valuesOf(name))
  return { name, text, secrets, keep }
}

/** The frame of a PEM file, put together here so that no tool takes the fixture for a key. */
export const begin = (what: string): string => `${DASHES}BEGIN ${what}${DASHES}`
export const end = (what: string): string => `${DASHES}END ${what}${DASHES}`
const DASHES = '-'.repeat(5)

/** A text without a secret: all of it must stay. */
export function harmless(name: string, write: string | ((values: Values) => string)): ScrubCase {
  const text = typeof write === 'string' ? write : write(valuesOf(name))
  return { name, text, secrets: [], keep: [text] }
}

function valuesOf(name: string): Values {
  const random = randomOf(name)
  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[random() % alphabet.length]).join('')
  const hex = (length: number): string => pick(`${DIGITS}abcdef`, length)
  const base64 = (length: number): string => pick(`${LETTERS}${DIGITS}+/`, length)
  return {
    hex,
    base64,
    base62: (length) => pick(LETTERS + DIGITS, length),
    base64url: (length) => pick(`${LETTERS}${DIGITS}-_`, length),
    upper: (length) => pick(UPPER + DIGITS, length),
    digits: (length) => pick('123456789', length),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    lines: (count) => Array.from({ length: count }, () => base64(64)),
  }
}

/** A small generator seeded by a text: the cases need spread, not strength. */
function randomOf(seed: string): () => number {
  let state = 2_166_136_261
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9
    return ((state ^ (state >>> 13)) >>> 0) % 1_000_003
  }
}
