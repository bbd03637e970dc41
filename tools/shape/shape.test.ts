import { describe, expect, it } from 'vitest'
import { findOversized } from './check-shape.ts'
import { measureSource } from './measure-source.ts'
import type { PackageShape } from './measure-tree.ts'
import { isSource } from './measure-tree.ts'
import { drawShape, reportShape } from './report-shape.ts'

const functionsIn = (source: string, file = 'a.ts') =>
  measureSource(file, source).functions.map(({ name, line, lines }) => [name, line, lines])

describe('measureSource', () => {
  it('counts the lines of a file as wc does', () => {
    expect(measureSource('a.ts', '').lines).toBe(0)
    expect(measureSource('a.ts', 'a()\nb()\n').lines).toBe(2)
    expect(measureSource('a.ts', 'a()\nb()').lines).toBe(2)
  })

  it('measures a nested function by its own span, and includes it in the outer one', () => {
    const source = 'export function outer() {\n  const inner = () => {\n    a()\n  }\n  return inner\n}\n'
    expect(functionsIn(source)).toEqual([
      ['outer', 1, 6],
      ['inner', 2, 3],
    ])
  })

  it('names methods and private methods after their class', () => {
    expect(functionsIn('class Queue {\n  add() {}\n  #flush() {}\n  onEnd = () => {}\n}')).toEqual([
      ['Queue.add', 2, 1],
      ['Queue.#flush', 3, 1],
      ['Queue.onEnd', 4, 1],
    ])
  })

  it('names the functions of an object, and callbacks after what they are passed to', () => {
    expect(functionsIn('x = { run() {}, stop: () => {} }\nlist.map((item) => item)')).toEqual([
      ['run', 1, 1],
      ['stop', 1, 1],
      ['map callback', 2, 1],
    ])
  })

  it('names a JSX component by its variable, also inside memo', () => {
    expect(functionsIn('const Row = memo((props) => (\n  <li />\n))', 'a.tsx')).toEqual([['Row', 1, 3]])
  })

  it('leaves out overloads, which have no body', () => {
    expect(functionsIn('function a(x: string): void\nfunction a(x: unknown) {}')).toEqual([['a', 2, 1]])
  })

  it('refuses a file that does not parse', () => {
    expect(() => measureSource('a.ts', 'function (')).toThrow(/^a\.ts does not parse/)
  })
})

describe('isSource', () => {
  it.each([
    ['packages/cli/src/main.ts', true],
    ['packages/web/src/i18n/language.ts', true],
    ['packages/cli/src/main.test.ts', false],
    ['packages/server/src/world.fixture.ts', false],
    ['packages/harness/src/testing/faults.ts', false],
    ['packages/web/src/i18n/de/chat.ts', false],
    ['packages/web/src/ui/ui.css', false],
  ])('%s: %s', (file, expected) => {
    expect(isSource(file)).toBe(expected)
  })
})

function packageWith(name: string, file: { lines: number; functionLines: number }): PackageShape {
  const path = `packages/${name}/src/a.ts`
  const functions = [{ name: 'work', file: path, line: 3, lines: file.functionLines }]
  return {
    name,
    files: [{ file: path, lines: file.lines, functions }],
    folders: [{ folder: `packages/${name}/src`, files: 1 }],
  }
}

describe('findOversized', () => {
  it('accepts files and functions at the limit', () => {
    expect(findOversized([packageWith('cli', { lines: 400, functionLines: 100 })])).toEqual([])
  })

  it('names each file and function above the limit', () => {
    expect(findOversized([packageWith('cli', { lines: 401, functionLines: 101 })])).toEqual([
      'packages/cli/src/a.ts has 401 lines; the limit for a file is 400',
      'packages/cli/src/a.ts:3 work has 101 lines; the limit for a function is 100',
    ])
  })

  it('does not check the web package', () => {
    expect(findOversized([packageWith('web', { lines: 900, functionLines: 900 })])).toEqual([])
  })
})

describe('the shape report', () => {
  const report = reportShape(
    [
      packageWith('cli', { lines: 10, functionLines: 5 }),
      packageWith('web', { lines: 30, functionLines: 1 }),
    ],
    1,
  )

  it('gives medians per package and for all, without functions on one line', () => {
    expect(report.packages).toEqual([
      {
        name: 'cli',
        files: { count: 1, median: 10, p90: 10 },
        functions: { count: 1, median: 5, p90: 5 },
      },
      {
        name: 'web',
        files: { count: 1, median: 30, p90: 30 },
        functions: { count: 0, median: 0, p90: 0 },
      },
      {
        name: 'all',
        files: { count: 2, median: 10, p90: 30 },
        functions: { count: 1, median: 5, p90: 5 },
      },
    ])
  })

  it('lists the largest functions, files and folders', () => {
    const text = drawShape(report).join('\n')
    expect(text).toContain('     5  work  packages/cli/src/a.ts:3')
    expect(text).toContain('    30  packages/web/src/a.ts')
    expect(text).toContain('     1  packages/cli/src')
  })
})
