import type { JsonObject } from '../../turn/json.ts'

/** A hostile definition, the arguments of a call of it, and the text it answers. */
export interface HostileCase {
  readonly kind: string
  readonly input: JsonObject
  readonly args: JsonObject
  readonly answer: string
}

/** The same numbers for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Random = (below: number) => number
type Build = (random: Random) => Partial<HostileCase>

const MEGABYTES = 1024 * 1024
const pick = <One>(random: Random, ones: readonly One[]): One => ones[random(ones.length)]!
const field = (schema: unknown, more: object = {}): JsonObject =>
  ({ type: 'object', properties: { a: schema }, ...more }) as JsonObject

const PIECES = [
  'a',
  'a+',
  '(a+)+',
  '(a|a)*',
  '(.*a)',
  '[\\s\\S]*',
  '(a*)*',
  'a{1,200}',
  '(?=.*b)',
  '(?!.*c)',
  '\\p{L}+',
  '(?:x?x?){30}',
  '.+?',
  '(a|ab)(c|bcd)',
  '\\w*\\d*\\w*',
  'é',
  '😀',
  '[^]*',
  '(\\1)',
  '(?<=a)',
]

function hostilePattern(random: Random): string {
  let pattern = pick(random, ['^', ''])
  for (let left = 1 + random(6); left > 0; left--) {
    const piece = pick(random, PIECES)
    pattern +=
      random(3) === 0 ? `(?:${pattern}|${piece})${pick(random, ['*', '+', '{1,50}', '{2,}', '?'])}` : piece
    if (pattern.length > 1_500) break
  }
  return pattern + pick(random, ['$', '', '!'])
}

function hostileText(random: Random): string {
  const unit = pick(random, [
    'a',
    'ab',
    'x',
    'é',
    '😀',
    '\u0000',
    '\ud800',
    '\u202e',
    'sk-',
    'password=',
    '{"a":',
    '-----BEGIN ',
    '://u:p@',
    'eyJ',
    '1.',
    'token=a&',
    'cookie: a=',
    '<tool_call>',
    'key: "',
  ])
  const size = pick(random, [10, 1_000, 30_000, 100_000, 190_000])
  return unit.repeat(Math.ceil(size / unit.length)) + pick(random, ['', '!', '"', '\n'])
}

function nest(random: Random, levels: number): unknown {
  const how = pick<(inner: unknown) => unknown>(random, [
    (inner) => ({ properties: { a: inner } }),
    (inner) => ({ items: inner }),
    (inner) => ({ anyOf: [inner, inner] }),
    (inner) => ({ not: inner }),
  ])
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = how(schema)
  return schema
}

/** Each kind of attack. The values differ with the random numbers. */
const ATTACKS: Readonly<Record<string, Build>> = {
  pattern: (random) => ({
    input: field({ pattern: hostilePattern(random) }),
    args: { a: hostileText(random) },
  }),
  patternProperties: (random) => ({
    input: field({
      patternProperties: Object.fromEntries(
        Array.from({ length: 1 + random(600) }, () => [hostilePattern(random), {}]),
      ),
    }),
    args: {
      a: Object.fromEntries(
        Array.from({ length: 1 + random(500) }, (_, index) => [`${'a'.repeat(random(50))}${index}`, 1]),
      ),
    },
  }),
  nesting: (random) => ({
    // Twenty levels of `anyOf` with the same schema twice have a million ways, in few objects.
    input: field(nest(random, 1 + random(60))),
    args: { a: pick<never>(random, [{ a: { a: {} } }, [[[[]]]], 'x', 1] as never[]) },
  }),
  depth: (random) => {
    const levels = 100 + random(20_000)
    return { input: JSON.parse('{"not":'.repeat(levels) + '{}' + '}'.repeat(levels)) as JsonObject }
  },
  references: (random) => {
    const names = Array.from({ length: 2 + random(40) }, (_, index) => `d${index}`)
    const pointTo = () => ({
      $ref: pick(random, [
        '#',
        ...names.map((name) => `#/$defs/${name}`),
        'http://127.0.0.1:9/x',
        '#/__proto__',
        '#/constructor',
        '#d1',
        'urn:same',
        '#/%',
        '#/~2',
      ]),
    })
    const body = () =>
      pick<() => unknown>(random, [
        pointTo,
        () => ({ anyOf: [pointTo(), pointTo(), pointTo()] }),
        () => ({ allOf: [pointTo(), pointTo()] }),
        () => ({ properties: { a: pointTo() } }),
        () => ({ $id: 'urn:same', $anchor: 'd1', type: 'object' }),
      ])()
    return {
      input: field(pointTo(), {
        $defs: Object.fromEntries(names.map((name) => [name, body()])),
        $id: 'urn:same',
      }),
      args: { a: { a: { a: 1 } } },
    }
  },
  combinators: (random) => {
    const width = 2 + random(40)
    let schema: unknown = { type: 'string' }
    const $defs: Record<string, unknown> = {}
    for (let level = 0; level < 12; level++) {
      $defs[`l${level}`] = schema
      schema = {
        [pick(random, ['oneOf', 'anyOf', 'allOf'])]: Array.from({ length: width }, () => ({
          $ref: `#/$defs/l${level}`,
        })),
      }
    }
    return { input: field(schema, { $defs }), args: { a: 1 } }
  },
  defaults: (random) => ({
    input: JSON.parse(
      `{"type":"object","properties":{"a":{"default":${pick(random, ['{"__proto__":{"polluted":1}}', `"${'x'.repeat(150_000)}"`, '[[[[[[1]]]]]]', '{"constructor":{"prototype":{"polluted":1}}}'])}},"__proto__":{"default":{"polluted":1}},"constructor":{"default":1}},"required":["a","__proto__"]}`,
    ) as JsonObject,
  }),
  names: (random) => {
    const name = pick(random, [
      '"',
      "'];process.exit(1);//",
      '`${process.exit(1)}`',
      '__proto__',
      'constructor',
      'toString',
      '\u2028',
      'a/b~0~1',
      '\\',
      '*/process.exit(1)/*',
    ])
    return {
      input: JSON.parse(
        JSON.stringify({
          type: 'object',
          properties: { x: 1 },
          required: [name],
          $defs: { x: 1 },
          enum: [name],
        }).replace('"x":1', `${JSON.stringify(name)}:{"type":"string","const":${JSON.stringify(name)}}`),
      ) as JsonObject,
      args: JSON.parse(`{${JSON.stringify(name)}:1}`) as JsonObject,
    }
  },
  values: (random) => ({
    input: field({
      uniqueItems: true,
      enum: Array.from({ length: random(9_000) }, (_, index) => [index]),
      items: { multipleOf: pick(random, [1e-300, 0, -1, 1e308]), maximum: -1e308 },
      format: 'regex',
      maxLength: -1,
    }),
    args: {
      a: Array.from({ length: random(15_000) }, (_, index) => (random(2) ? index : { index })) as never,
    },
  }),
  'large schema': (random) => ({
    input: field({
      description: 'd'.repeat(10 * MEGABYTES),
      enum: Array.from({ length: random(100_000) }, (_, index) => `value ${index}`),
    }),
  }),
  'large answer': (random) => {
    const text = hostileText(random)
    return { answer: text.repeat(Math.ceil((10 * MEGABYTES) / text.length)) }
  },
  'odd types': (random) => ({
    input: {
      type: pick<never>(random, ['date', 7, null, [[]], {}] as never[]),
      properties: pick<never>(random, [[], 'x', null, { a: 7 }] as never[]),
      required: pick<never>(random, [true, [7], 'a'] as never[]),
      items: 'x',
      allOf: {},
      pattern: 5,
    },
    args: { a: 1 },
  }),
}

const KINDS = Object.keys(ATTACKS)

/** The case of this number. Most kinds come equally often; those with 10 MB are rare. */
export function createHostileCase(seed: number): HostileCase {
  const random = createRandom(seed)
  for (let index = 0; index < 5; index++) random(2)
  const kind =
    seed % 100 === 0
      ? 'large answer'
      : seed % 100 === 1
        ? 'large schema'
        : pick(
            random,
            KINDS.filter((one) => !one.startsWith('large')),
          )
  return { kind, input: { type: 'object' }, args: {}, answer: 'done', ...ATTACKS[kind]!(random) }
}
