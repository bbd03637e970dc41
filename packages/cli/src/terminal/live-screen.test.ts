import { describe, expect, it } from 'vitest'
import { createFakeTerminal } from '../testing/fake-terminal.ts'
import { createScreen } from './live-screen.ts'

describe('a live screen', () => {
  it('draws again in place, and keeps what is to stay above it', () => {
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

  it('never draws more than can be drawn again', () => {
    const terminal = createFakeTerminal()
    const screen = createScreen({ ...terminal, rows: 4 }, {})
    screen.draw([], ['a', 'b', 'c', 'd', 'e'])
    expect(terminal.lines()).toEqual(['c', 'd', 'e'])
  })

  it('erases the rows that lines take after the window became narrower', () => {
    const written: string[] = []
    const output = { isTTY: true, columns: 20, rows: 24, write: (text: string) => written.push(text) }
    const screen = createScreen(output, {})
    screen.draw([], ['fifteen columns', 'short'])
    output.columns = 10
    screen.draw([], ['x'])
    expect(written[1]).toBe('\r\u001b[2A\u001b[Jx')
  })
})

describe('any other output', () => {
  it('only ever gets whole lines at its end', () => {
    let text = ''
    const screen = createScreen({ write: (more) => (text += more) }, {})
    screen.draw(['one'], ['live'])
    screen.draw([], ['live'])
    screen.draw(['two', 'three'])
    expect(text).toBe('one\ntwo\nthree\n')
    expect(screen.isLive).toBe(false)
  })

  it('is a terminal that cannot move its cursor, too', () => {
    expect(createScreen({ isTTY: true, write: () => {} }, { TERM: 'dumb' }).isLive).toBe(false)
  })
})
