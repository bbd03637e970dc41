import { describe, expect, it } from 'vitest'
import { isTerminal, paint, styleOf } from './style.ts'

const terminal = { isTTY: true, columns: 60, write: () => {} }
const pipe = { write: () => {} }

describe('styleOf', () => {
  it('uses colour only on a terminal', () => {
    expect(styleOf(terminal, { TERM: 'xterm' }).colour).toBe(true)
    expect(styleOf(pipe, { TERM: 'xterm' }).colour).toBe(false)
    expect(styleOf(terminal, { TERM: 'dumb' }).colour).toBe(false)
  })

  it('uses no colour when NO_COLOR is set, and still redraws', () => {
    expect(styleOf(terminal, { NO_COLOR: '1' }).colour).toBe(false)
    expect(isTerminal(terminal, { NO_COLOR: '1' })).toBe(true)
    expect(styleOf(terminal, { NO_COLOR: '' }).colour).toBe(true)
  })

  it.each([
    [{ LANG: 'de_DE.UTF-8' }, true],
    [{ LANG: 'C' }, false],
    [{ LC_ALL: 'C', LANG: 'en_GB.utf8', TERM_PROGRAM: 'tmux' }, false],
    [{ LANG: 'C.UTF-8', TERM: 'linux' }, false],
    [{ WT_SESSION: 'x' }, true],
    [{}, false],
  ])('decides from %o whether Unicode can be shown', (env, unicode) => {
    expect(styleOf(terminal, env).unicode).toBe(unicode)
  })

  it('limits the width of lines', () => {
    expect(styleOf(terminal, {}).width).toBe(59)
    expect(styleOf({ ...terminal, columns: 300 }, {}).width).toBe(88)
    expect(styleOf({ ...terminal, columns: 3 }, {}).width).toBe(20)
    expect(styleOf({ ...terminal, columns: 0 }, {}).width).toBe(79)
  })

  it('lets paint add colour only where there is colour', () => {
    expect(paint(styleOf(pipe, {}), 'red', 'x')).toBe('x')
    expect(paint(styleOf(terminal, {}), 'red', 'x')).toBe('\u001b[31mx\u001b[39m')
  })
})
