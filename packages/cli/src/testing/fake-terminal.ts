import type { Output } from '../terminal/style.ts'

/** A terminal that records what it shows. Knows the escapes that our screens use, and throws at any other. */
export interface FakeTerminal extends Output {
  columns: number
  /** The lines on the screen, without trailing spaces. */
  readonly lines: () => readonly string[]
}

// oxlint-disable-next-line no-control-regex
const TOKENS = /\u001b\[(\d*)([A-Za-z])|[\r\n]|[^\u001b\r\n]+/g

/** Creates a terminal for tests. */
export function createFakeTerminal(columns = 80): FakeTerminal {
  const lines = ['']
  let row = 0
  let column = 0

  function put(text: string): void {
    const line = lines[row] ?? ''
    lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length)
    column += text.length
    if (column >= columns) throw new Error(`a line reaches the edge: ${lines[row]}`)
  }

  function applyEscape(code: string, amount: string): void {
    if (code === 'A') row = Math.max(0, row - Number(amount || 1))
    else if (code === 'J') {
      lines.length = row + 1
      lines[row] = (lines[row] ?? '').slice(0, column)
    } else if (code !== 'm') throw new Error(`unknown escape ${code}`)
  }

  return {
    isTTY: true,
    columns,
    rows: 24,
    write(text) {
      for (const [token, amount = '', code] of text.matchAll(TOKENS)) {
        if (code) applyEscape(code, amount)
        else if (token === '\r') column = 0
        else if (token === '\n') {
          row++
          column = 0
          lines[row] ??= ''
        } else put(token)
      }
    },
    lines: () => lines.map((line) => line.trimEnd()),
  }
}
