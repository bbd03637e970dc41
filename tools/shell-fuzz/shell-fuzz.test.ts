import { classifyCommand } from '@capstan/harness/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../crash-test/random.ts'
import { EVERYDAY, TRICKS } from './corpus.ts'
import { generateLine } from './generate-lines.ts'
import type { Case } from './trace-lines.ts'
import { traceLines, whyNoTracing } from './trace-lines.ts'
import type { World } from './world.ts'
import { createWorld } from './world.ts'

let world: World

beforeAll(() => {
  world = createWorld()
}, 60_000)
afterAll(() => world.remove())

const verdictOf = (line: string, folder: string): string => {
  const verdict = classifyCommand(line, folder)
  return verdict.isHidden ? 'hidden' : verdict.class
}

describe('the reader of command lines', () => {
  it('judges more than a thousand fixed lines as it is written down for each of them', () => {
    const all = [...EVERYDAY, ...TRICKS]
    expect(new Set(all.map(({ line }) => line)).size).toBeGreaterThan(1_000)
    const found = all.map(({ line }) => ({ line, verdict: verdictOf(line, world.plain) }))
    expect(found.filter(({ verdict }, index) => verdict !== all[index]!.verdict)).toEqual([])
  })

  it('judges no trick to be a read, and at least 95 % of everyday commands', () => {
    expect(TRICKS.filter(({ verdict }) => verdict === 'read')).toEqual([])
    const reads = EVERYDAY.filter(({ verdict }) => verdict === 'read')
    expect(reads.length / EVERYDAY.length).toBeGreaterThanOrEqual(0.95)
  })

  it('judges no git command to be a read where the repository runs programs', () => {
    const git = EVERYDAY.filter(({ line }) => /^git (?!--version|version)/.test(line))
    expect(git.length).toBeGreaterThan(60)
    expect(git.filter(({ line }) => verdictOf(line, world.hostile) === 'read')).toEqual([])
  })

  it('is fast: twenty thousand lines in a few seconds', () => {
    const random = createRandom('speed')
    const lines = Array.from({ length: 20_000 }, () => generateLine(random))
    const startedAt = performance.now()
    for (const line of lines) classifyCommand(line)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

const problem = whyNoTracing()

describe.skipIf(problem !== undefined)(
  `a traced run${problem === undefined ? '' : ` (skipped: ${problem})`}`,
  () => {
    const run = (
      lines: readonly string[],
    ): Promise<readonly { readonly line: string; readonly what: string }[]> =>
      traceLines(
        lines.map((line, index): Case => ({
          line,
          folder: world.plain,
          shell: index % 2 === 0 ? 'dash' : 'bash',
        })),
        world.folder,
      )

    it('finds what a command writes, starts, connects to and shows', async () => {
      const found = await run([
        'echo x > made',
        'sh -c true',
        'mkdir made-folder',
        'echo x > /dev/tcp/127.0.0.1/9',
        'echo "$SEEDED_TOKEN"',
        'cat README.md',
      ])
      expect(found.map(({ line, what }) => [line, what.replace(/^(\w+:?) .*/s, '$1')])).toEqual(
        expect.arrayContaining([
          ['echo x > made', 'writes'],
          ['mkdir made-folder', 'mkdir:'],
          ['echo x > /dev/tcp/127.0.0.1/9', 'connects:'],
          ['echo "$SEEDED_TOKEN"', 'shows'],
        ]),
      )
      expect(found.filter(({ line }) => line === 'cat README.md')).toEqual([])
    }, 60_000)

    it('of three hundred lines judged to read finds nothing', async () => {
      const random = createRandom('traced', 1)
      const lines = new Set(
        EVERYDAY.filter(({ verdict }) => verdict === 'read')
          .map(({ line }) => line)
          .filter((_, index) => index % 2 === 0),
      )
      while (lines.size < 300) {
        const line = generateLine(random)
        if (verdictOf(line, world.plain) === 'read') lines.add(line)
      }
      expect(await run([...lines])).toEqual([])
    }, 180_000)
  },
)
