import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Compacted, OutputFacts } from './compact-output.ts'
import { compactOutput } from './compact-output.ts'
import { FAILED_TESTS, SERVER_LOG, facts } from './outputs.fixture.ts'

const noRules = { reduce: () => Promise.resolve(undefined) }
const compact = async (text: string, known: Partial<OutputFacts>): Promise<Compacted | undefined> =>
  compactOutput(text, facts(known), noRules)

const SCRAPS = [
  '\u001B[31m',
  '\u001B]0;',
  '\r',
  '\r\n',
  '\n',
  '\n\n',
  '  ',
  '<html>',
  '<div>',
  '</div>',
  '<a href="',
  '<script>',
  '&amp;',
  '{"a":',
  '[1,',
  ']}',
  '"\\"',
  'diff --git a/x b/x\n',
  '--- a/yarn.lock\n+++ b/yarn.lock\n@@ -1,2 +1,2 @@\n',
  '@@ -1 +1 @@\n',
  '-old\n',
  '+new\n',
  ' same\n',
  'src/a.ts:12:total\n',
  'src/a/b.ts\n',
  '2031-01-02T03:04:05Z INFO up\n',
  'ERROR down\n',
  '45% [====>   ] 3 MB\n',
  '😀',
  '\uD83D',
  'é',
  'x'.repeat(700),
]
const anyText = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...SCRAPS), fc.string()), fc.integer({ min: 1, max: 60 })), {
    maxLength: 12,
  })
  .map((parts) => parts.map(([scrap, times]) => scrap.repeat(times)).join(''))
const anyFacts = fc.record({
  tool: fc.constantFrom('fetch', 'get_logs'),
  command: fc.constantFrom(undefined, 'npm test', 'git diff', 'weigh-things'),
  ok: fc.boolean(),
  profile: fc.constantFrom('full' as const, 'light' as const),
})

describe('compacting any text', () => {
  it('never throws, and never returns more than nineteen twentieths', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyFacts, async (text, known) => {
        const compacted = await compact(text, known)
        if (compacted === undefined) return
        expect(Buffer.byteLength(compacted.text)).toBeLessThanOrEqual(0.95 * Buffer.byteLength(text))
        if (known.profile === 'light') expect(compacted.lossy).toBe(false)
        if (text.isWellFormed()) expect(compacted.text.isWellFormed()).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('turns JSON into JSON, and into equal JSON when nothing is lost', async () => {
    const rows = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 })
    const value = fc.tuple(rows, fc.integer({ min: 1, max: 200 })).map(([few, times]) => ({
      list: Array.from({ length: times }, () => few).flat(),
      last: few,
    }))
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (written, ok) => {
        const text = JSON.stringify(written, null, 2)
        const compacted = await compact(text, { ok })
        if (compacted === undefined) return
        const read: unknown = JSON.parse(compacted.text)
        if (!compacted.lossy) expect(read).toEqual(JSON.parse(text))
        else expect(compacted.text).toMatch(/left out|more characters/)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps every error of a log when they fit', async () => {
    const errors = fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(errors, async (places) => {
        const lines = Array.from({ length: 900 }, (_, index) => `copied block ${index * 31} of the image`)
        for (const place of places) lines[place] = `error: block ${place} is damaged`
        const { text } = (await compact(lines.join('\n'), { command: 'copy' })) ?? { text: '' }
        for (const place of places) expect(text).toContain(`error: block ${place} is damaged`)
      }),
      { numRuns: 30 },
    )
  })
})

const MEGABYTE = 1_000_000
const fill = (scrap: string, length = MEGABYTE) => scrap.repeat(Math.ceil(length / scrap.length))
const nested = (open: string, close: string) =>
  `${fill(open, MEGABYTE / 2)}1${close.repeat(MEGABYTE / 2 / open.length)}`

/** Texts that make a careless reader start over again and again. */
const BAITS: Readonly<Record<string, () => string>> = {
  escapes: () => fill('\u001B['),
  'titles that never end': () => fill('\u001B]a;a'),
  'a title of many parts': () => `\u001B]${fill(';a')}`,
  'a colour without end': () => `\u001B[${fill('0;')}`,
  'nested lists': () => nested('[', ']'),
  'nested objects': () => nested('{"a":', '}'),
  'long lists in long lists': () => nested('[{"a":[1,2,3],"b":', '}]'),
  'escaped quotes': () => `["${fill('\\"')}"]`,
  backslashes: () => `["${fill('\\\\')}"]`,
  numbers: () => `[${fill('1,')}1]`,
  'members that report errors': () => `[${fill('{"error":"x"},')}1]`,
  'one key again and again': () => `{${fill('"a":{"b":1},')}"a":1}`,
  'angle brackets': () => `<html>${fill('<')}`,
  'tags that never close': () => `<html>${fill('<a ')}`,
  'quotes that never close': () => `<html>${fill('<a x="\'')}`,
  'comments that never close': () => `<html>${fill('<!--')}`,
  'scripts that never close': () => `<html>${fill('<script>')}`,
  drawings: () => `<html>${fill('<svg></svg>')}`,
  'scraps of white space': () => `<html>${fill('<b> </b>')}`,
  'preformatted scraps': () => `<html><pre>${fill('\n <b> ')}`,
  'half references': () => `<html>${fill('&amp')}`,
  hunks: () => `diff --git a/x b/x\n${fill('@@ -1 +1 @@\n')}`,
  'one hunk': () => `diff --git a/x b/x\n@@ -1,9999999 +1,9999999 @@\n+a\n${fill(' \n')}+b\n`,
  'changes and context': () => `diff --git a/x b/x\n@@ -1,9999999 +1,9999999 @@\n${fill(' \n \n \n+\n')}`,
  'a path of many names': () => `diff --git ${fill(' b/')}\n`,
  hits: () => fill('a/b.ts:1:x\n'),
  'a path without end': () => `${fill('a/b.ts:1:x\n', 400)}${fill('/a')} `,
  slashes: () => `${fill('a/b.ts:1:x\n', 400)}${fill('/')}:`,
  digits: () => `${SERVER_LOG}\n${fill('1')}`,
  'almost a time': () => `${SERVER_LOG}\n${fill('1:11:1')}`,
  'lines that almost repeat': () => `${SERVER_LOG}\n${fill('a\na\na\nb\na\nb\n')}`,
  'words of trouble': () => `${FAILED_TESTS}\n${fill('errors ')}`,
  'line ends': () => fill('\n'),
  'carriage returns': () => fill('\r'),
  'bars and percents': () => fill('⠋ 1%==\n'),
}

// A reader that starts over would take minutes for these; the limit is generous for a busy machine.
it.each(Object.entries(BAITS))(
  'compacting a megabyte of %s is fast',
  { timeout: 30_000 },
  async (_, bait) => {
    const text = bait()
    for (const known of [{}, { command: 'weigh-things', ok: false }]) {
      const compacted = await compact(text, known)
      expect(compacted?.text.length ?? 0).toBeLessThan(text.length)
    }
  },
)
