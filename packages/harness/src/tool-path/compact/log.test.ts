import { describe, expect, it } from 'vitest'
import { logCompactor } from './log.ts'
import { FAILED_TESTS, SERVER_LOG, facts, linesOf } from './outputs.fixture.ts'

const short = (text: string, ok = true): string => logCompactor.shorten(text, facts({ ok }))

describe('a log', () => {
  it('is recognised by times and levels; times alone may be a calendar or a chat', () => {
    const chat = linesOf(20, (index) => `[10:0${index % 10}:11] Ana: see you at the station`)
    expect(logCompactor.recognises(SERVER_LOG, facts())).toBe(true)
    expect(logCompactor.recognises(chat, facts())).toBe(false)
    expect(logCompactor.recognises(chat, facts({ tool: 'get_build_logs' }))).toBe(true)
    expect(logCompactor.recognises(chat, facts({ tool: 'list_blogs' }))).toBe(false)
  })

  it('shows a repeated line once, with a count, at different times', () => {
    expect(short(SERVER_LOG).split('\n')).toEqual([
      '2031-05-06T07:00:11.042Z INFO heartbeat from worker [×137]',
      '2031-05-06T07:17:11.042Z ERROR pool exhausted after 30 waiting clients',
      '2031-05-06T07:18:11.042Z INFO heartbeat from worker [×122]',
      '2031-05-06T07:20:11.042Z WARN disk is 91% full',
      '2031-05-06T07:21:11.042Z INFO heartbeat from worker [×139]',
    ])
  })

  it('without loss counts only identical lines', () => {
    expect(logCompactor.tidy(SERVER_LOG)).toBe(SERVER_LOG)
    expect(logCompactor.tidy(`start\n${linesOf(50, () => 'waiting for lock')}\nend`)).toBe(
      'start\nwaiting for lock [×50]\nend',
    )
  })

  it('counts repeated blocks of lines, such as a stack trace', () => {
    const trace = 'TypeError: basket is undefined\n    at addTax (basket.js:4:9)\n    at main (shop.js:1:1)\n'
    expect(logCompactor.tidy(`${trace.repeat(30)}done`)).toBe(`${trace}[the 3 lines above: 30 times]\ndone`)
  })

  it('shows the last state of a progress bar', () => {
    const bar = linesOf(101, (index) => `fetching maps ${index}% [${'='.repeat(index / 5)}] ${index} MB`)
    const rewritten = linesOf(40, (index) => `linking ${index}/40`).replaceAll('\n', '\r')
    expect(short(`${bar}\nready\n${rewritten}`)).toBe(
      'fetching maps 100% [====================] 100 MB\nready\nlinking 39/40',
    )
  })

  it('that does not fit keeps both ends, every error with its context, and a note of what is missing', () => {
    const noise = (name: string) => linesOf(400, (index) => `${name} step ${index * 7} took ${index * 13} ms`)
    const failure = 'build.c:9: error: unknown type name\n    9 | tpye x;\n      | ^~~~'
    const shown = short(`first\n${noise('early')}\n${failure}\n${noise('late')}\nlast`)
    expect(shown).toMatch(/^first\n/)
    expect(shown).toContain(failure)
    expect(shown).toMatch(/\n\[… \d+ lines left out\]\n/)
    expect(shown).toMatch(/\nlast$/)
    expect(shown.length).toBeLessThan(6_500)
  })

  it('accounts for every line as shown or missing', () => {
    const written = linesOf(1_000, (index) => `step ${index * 7} took ${index * 13} ms`)
    const lines = short(written).split('\n')
    const missing = lines.map((line) => Number(/^\[… (\d+) lines? left out\]$/.exec(line)?.[1] ?? 0))
    const notes = missing.filter((count) => count > 0).length
    expect(missing.reduce((sum, count) => sum + count, lines.length - notes)).toBe(1_000)
  })

  it('of a test run keeps the assertion and its two values', () => {
    const shown = short(FAILED_TESTS, false)
    for (const line of [
      'AssertionError: expected 119 to be 238',
      '- 238',
      '+ 119',
      ' ❯ src/basket.test.ts:14:22',
    ])
      expect(shown).toContain(`\n${line}\n`)
  })

  it('does not treat a passed test or a zero count as an error', () => {
    const passed = linesOf(600, (index) => `✓ throws an error for input ${index * 3}`)
    const shown = short(`${passed}\n0 errors, 0 failed\nreal failure: socket closed\n${passed}`)
    expect(shown).toContain('real failure: socket closed')
    expect(shown).not.toContain('0 errors')
  })

  it('of a failure keeps more', () => {
    const written = linesOf(2_000, (index) => `step ${index * 7} took ${index * 13} ms`)
    expect(short(written, false).length).toBeGreaterThan(1.8 * short(written).length)
  })

  it('clips a very long line', () => {
    expect(short(`a\n${'x'.repeat(5_000)}\nb`)).toBe(`a\n${'x'.repeat(1_000)}[… 4000 more characters]\nb`)
  })
})
