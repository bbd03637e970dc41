import { describe, expect, it } from 'vitest'
import { createFakeTerminal } from '../testing/fake-terminal.ts'
import { createScreen } from './live-screen.ts'

describe('a live screen', () => {
  it('redraws live lines in place, below the lines that stay', () => {
    const terminal = createFakeTerminal()
    const screen = createScreen(terminal, {})
    screen.draw(['title'], ['one', 'two', 'three'])
    screen.draw([], ['ONE'])
    expect(terminal.lines()).toEqual(['title', 'ONE'])
    screen.draw(['first'], ['rest'])
    screen.draw(['second'])
    expect(terminal.lines()).toEqual(['title', 'first', 'second', ''])
  })

  it('writes nothing when nothing changed', () => {
    const terminal = createFakeTerminal()
    let writes = 0
    const screen = createScreen(
      {
        ...terminal,
        write(text) {
          writes++
          terminal.write(text)
        },
      },
      {},
    )
    screen.draw([], ['same'])
    screen.draw([], ['same'])
    expect(writes).toBe(1)
  })

  it('never draws more live lines than the window has rows', () => {
    const terminal = createFakeTerminal()
    const screen = createScreen({ ...terminal, rows: 4 }, {})
    screen.draw([], ['a', 'b', 'c', 'd', 'e'])
    expect(terminal.lines()).toEqual(['c', 'd', 'e'])
  })

  it('erases all rows of its lines after the window became narrower', () => {
    const written: string[] = []
    const output = { isTTY: true, columns: 20, rows: 24, write: (text: string) => written.push(text) }
    const screen = createScreen(output, {})
    screen.draw([], ['fifteen columns', 'short'])
    output.columns = 10
    screen.draw([], ['x'])
    expect(written[1]).toBe('\r\u001b[2A\u001b[Jx')
  })
})

describe('a plain screen', () => {
  it('writes only lines that stay', () => {
    let text = ''
    const screen = createScreen({ write: (more) => (text += more) }, {})
    screen.draw(['one'], ['live'])
    screen.draw([], ['live'])
    screen.draw(['two', 'three'])
    expect(text).toBe('one\ntwo\nthree\n')
    expect(screen.isLive).toBe(false)
  })

  it('is used for a terminal that cannot move its cursor', () => {
    expect(createScreen({ isTTY: true, write: () => {} }, { TERM: 'dumb' }).isLive).toBe(false)
  })
})
