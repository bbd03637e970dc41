import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collectPatterns } from './collect-patterns.ts'
import { pumpStrings } from './pump-strings.ts'
import { MAX_MS, timePattern } from './time-pattern.ts'

/** Where every text is cut before it meets these patterns: at how many characters. The first that fits counts. */
const CAPPED: readonly (readonly [file: string, maxChars: number])[] = [
  ['harness/src/failures/rules/terse.ts', 200], // `isTerse`
  ['harness/src/failures/rules/', 3_000], // `MAX_REASON_CHARS`, and blanks between the words of names
  ['harness/src/failures/reason-lines.ts', 600], // `MAX_LINE_CHARS`
  ['harness/src/guards/compare/output-print.ts', 400], // `LONGEST_RECEIPT`
  ['harness/src/guards/compare/volatile-parts.ts', 2_000], // `LONGEST_TEXT`
  ['harness/src/guards/compare/cosmetic-arguments.ts', 400], // `MAX_ID_CHARS`
  ['harness/src/seams/parsers/scan/labelled-fence.ts', 128], // `MAX_LINE_CHARS`
  ['harness/src/documents/office/date-cells.ts', 255], // `MAX_FORMAT_CHARS`
  ['harness/src/text/yes-or-no.ts', 40], // `LONGEST`
  ['harness/src/tools/shell/judge-editors.ts', 2_000], // `MAX_SCRIPT_CHARS`
  ['harness/src/tools/shell/match-names.ts', 500], // `MAX_SEGMENT_CHARS`
  ['harness/src/turn/tool/address-shape.ts', 400], // `MAX_CHARS`
  ['demo/src/trip-scenes.ts', 500], // `MAX_CHARS` in `scene.ts`
]

const capOf = (file: string): number | undefined => CAPPED.find(([path]) => file.includes(path))?.[1]

it.each([/(a+)+$/, /\s+$/, /<a[^>]*>/g, /\w*\d*x/, /(?:a|a)*b/])('finds that %s is slow', (pattern) => {
  expect(timePattern(pattern, pumpStrings(pattern)).ms).toBeGreaterThan(MAX_MS)
})

describe('the regular expressions of the packages', () => {
  it('take no longer than linear time for texts made against them', { timeout: 180_000 }, async () => {
    const known = new Map<string, { readonly pattern: RegExp; readonly files: string[]; cap: number }>()
    for (const { file, pattern } of await collectPatterns(fileURLToPath(new URL('../..', import.meta.url)))) {
      const one = known.get(String(pattern)) ?? { pattern, files: [], cap: 0 }
      known.set(String(pattern), one)
      one.files.push(file)
      one.cap = Math.max(one.cap, capOf(file) ?? Infinity)
    }
    expect(known.size).toBeGreaterThan(800)
    const slow = [...known.values()].flatMap(({ pattern, files, cap }) => {
      const { ms, text } = timePattern(pattern, pumpStrings(pattern), cap)
      return ms > MAX_MS
        ? [`${files.join(', ')}: ${pattern} ${ms.toFixed(0)} ms, ${JSON.stringify(text)}`]
        : []
    })
    expect(slow).toEqual([])
  })
})
