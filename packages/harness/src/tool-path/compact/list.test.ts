import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { listCompactor } from './list.ts'
import { SERVER_LOG, facts, linesOf } from './outputs.fixture.ts'

const hits = (files: number, each: number): string =>
  linesOf(
    files * each,
    (index) => `src/orders/file-${Math.floor(index / each)}.ts:${index + 1}:  total += ${index}`,
  )

describe('a list', () => {
  it('is search hits or paths', () => {
    expect(listCompactor.recognises(hits(3, 4), facts())).toBe(true)
    expect(
      listCompactor.recognises(
        linesOf(9, (index) => `./photos/2031/img_${index}.jpg`),
        facts(),
      ),
    ).toBe(true)
    expect(listCompactor.recognises(SERVER_LOG, facts())).toBe(false)
    expect(
      listCompactor.recognises(
        linesOf(9, (index) => `step ${index}: done: yes`),
        facts(),
      ),
    ).toBe(false)
  })

  it('is not compiler output with places', () => {
    const errors = linesOf(9, (index) => `src/a.c:${index + 1}:4: error: expected ';'`)
    expect(listCompactor.recognises(errors, facts())).toBe(false)
  })

  it('names a file once above its hits, and a folder above its files', () => {
    expect(listCompactor.tidy('src/a.ts:1:one\nsrc/a.ts:9: two\nsrc/b.ts:4:three')).toBe(
      'src/a.ts\n  1:one\n  9: two\nsrc/b.ts:4:three',
    )
    expect(listCompactor.tidy('src/a/one.ts\nsrc/a/two.ts\nsrc/b/three.ts')).toBe(
      'src/a/\n  one.ts\n  two.ts\nsrc/b/three.ts',
    )
  })

  it('can be restored from its compact form', () => {
    const path = fc.constantFrom('src/a.ts', 'src/b/c.ts', 'docs/d.md', 'C:\\e.ts')
    const line = fc.oneof(
      fc
        .tuple(path, fc.nat(), fc.string())
        .map(([file, at, text]) => `${file}:${at}:${text.replaceAll(/\s/g, ' ')}`),
      path,
      fc.constantFrom('', '--', 'Binary file matches', '  indented'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const text = lines.join('\n')
        const tidy = listCompactor.tidy(text)
        expect(tidy === text ? text : writeOut(tidy)).toBe(text)
      }),
    )
  })

  it('that is too long shows some hits of every file', () => {
    const shown = listCompactor.shorten(hits(10, 60), facts())
    expect(shown).toContain('src/orders/file-9.ts\n  541:  total += 540\n')
    expect(shown).toContain('\n  [… 52 more]\n')
    expect(shown.length).toBeLessThan(6_000)
  })

  it('that is much too long names further files with their counts, and counts the rest', () => {
    const shown = listCompactor.shorten(hits(400, 12), facts())
    expect(shown).toMatch(/\nsrc\/orders\/file-\d+\.ts \[12\]\n/)
    expect(shown).toMatch(/\n\[… \d+ more lines in \d+ groups left out\]$/)
    expect(shown.length).toBeLessThan(6_100)
  })

  it('of a failure shows more', () => {
    const shown = listCompactor.shorten(hits(10, 60), facts({ ok: false }))
    expect(shown).toContain('\n  [… 36 more]\n')
  })
})

function writeOut(tidy: string): string {
  let group = ''
  const lines: string[] = []
  for (const line of tidy.split('\n')) {
    if (!line.startsWith('  ')) {
      group = line
      lines.push(line)
      continue
    }
    if (lines.at(-1) === group) lines.pop()
    lines.push(/[/\\]$/.test(group) ? `${group}${line.slice(2)}` : `${group}:${line.slice(2)}`)
  }
  return lines.join('\n')
}
