import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, constantFrom, property } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HiddenExecution } from './command-line.ts'
import { parseCommandLine } from './parse-command-line.ts'

const wordsOf = (line: string) => parseCommandLine(line).map(({ words }) => words.map(({ text }) => text))

describe('the programs of a command line', () => {
  it.each([
    ['a b c', [['a', 'b', 'c']]],
    ['a|b&&c||d;e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a "b c" \'d e\' f\\ g', [['a', 'b c', 'd e', 'f g']]],
    ['a"b"\'c\'d', [['abcd']]],
    ['a "" \'\'', [['a', '', '']]],
    ['a \\\nb', [['a', 'b']]],
    ['a#b #c', [['a#b']]],
    ['A=1 B="2 3" a', [['a']]],
    ['a 2>&1 >out <in', [['a']]],
    ['>out a', [['a']]],
    ['a 2 >out', [['a', '2']]],
    ['a <&-b', [['a', 'b']]],
    ['if a; then b; elif c; then d; else e; fi', [['a'], ['b'], ['c'], ['d'], ['e'], []]],
    ['for x in a b; do c "$x"; done', [[], ['c', '$x'], []]],
    ['for x do c; done', [['c'], []]],
    ['case a in b) c;; (d|e) f;; esac', [[], ['c'], ['d'], ['e'], ['f'], []]],
    ['a <<E; b\nc\nE\nd', [['a'], ['b'], ['d']]],
    ['a <<-E\n\tb\n\tE\nc', [['a'], ['c']]],
    ["a <<'E' <<F\nb\nE\nc\nF\nd", [['a'], ['d']]],
  ])('%j', (line, expected) => {
    expect(wordsOf(line)).toEqual(expected)
  })
})

// Every program writes its name down, so that it shows what the shell really ran.
const PROGRAMS = ['pa', 'pb', 'pc', 'pd']
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-parse-'))
  mkdirSync(join(folder, 'bin'))
  for (const name of PROGRAMS) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho ${name} >> "${join(folder, 'log')}"\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runReally(line: string): readonly string[] {
  rmSync(join(folder, 'log'), { force: true })
  try {
    execFileSync('/bin/sh', ['-c', line], {
      env: { PATH: join(folder, 'bin') },
      cwd: folder,
      stdio: 'ignore',
      timeout: 5_000,
    })
  } catch {
    // Most lines are nonsense; what counts is what ran before the shell noticed.
  }
  return existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : []
}

describe.skipIf(process.platform === 'win32')('the programs a shell starts', () => {
  const PIECES: readonly string[] = [
    ...PROGRAMS,
    ...PROGRAMS.map((name) => `${name[0]}\\${name[1]}`),
    ...PROGRAMS.map((name) => `'${name[0]}'"${name[1]}"`),
    ...'; | || && ( ) { } ! # x = < > >> 2> <& >&- [ ] [[ * , - ~ E >&2 2>&1 \' " \\ break f'.split(' '),
    ...'if |; then |; fi|for i in |for i |; do | do |; done|while |case x in | x) |;; | esac|time |in |A=1 |f() '.split(
      '|',
    ),
    ..."<<E%|<<'E'%|<<-E%|%E%|%\tE%|\\%|%|\t|\r|{ |; }| ! | #|x\\%E%".replaceAll('%', '\n').split('|'),
    ...Array.from({ length: 6 }, () => ' '),
  ]
  const piece = constantFrom(...PIECES)

  it('are always among the parsed ones', { timeout: 120_000 }, () => {
    assert(
      property(array(piece, { minLength: 1, maxLength: 14 }), (pieces) => {
        const line = pieces.join('')
        let seen: readonly string[]
        try {
          const programs = parseCommandLine(line).map(({ words: [program] }) => program)
          // Refused, as hidden, by those who judge what was parsed.
          if (programs.some((program) => program?.isDynamic || program?.hasGlob)) return
          seen = programs.map((program) => program?.text ?? '')
        } catch (error) {
          expect(error).toBeInstanceOf(HiddenExecution)
          return
        }
        const ran = runReally(line)
        expect(ran.filter((name) => !seen.includes(name))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })
})
