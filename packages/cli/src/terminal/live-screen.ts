import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from './display-width.ts'
import type { Environment, Output } from './style.ts'
import { columnsOf, isTerminal } from './style.ts'

/** A terminal or another output that lines are drawn on. */
export interface Screen {
  readonly output: Output
  /** Whether `live` lines are shown. */
  readonly isLive: boolean
  /** Adds lines that stay, and below them lines that the next draw replaces. */
  draw(stay: readonly string[], live?: readonly string[]): void
}

/** A terminal redraws live lines in place; any other output only receives lines that stay. */
export function createScreen(output: Output, env: Environment): Screen {
  return isTerminal(output, env) ? createLiveScreen(output) : createPlainScreen(output)
}

/** A screen that shows nothing, where standard output belongs to JSON. */
export const createSilentScreen = (output: Output): Screen => ({ output, isLive: false, draw() {} })

function createPlainScreen(output: Output): Screen {
  return {
    output,
    isLive: false,
    draw(stay) {
      if (stay.length > 0) output.write(`${stay.join('\n')}\n`)
    },
  }
}

function createLiveScreen(output: Output): Screen {
  let drawn: readonly string[] = []
  return {
    output,
    isLive: true,
    draw(stay, live = []) {
      // Lines that have scrolled away cannot be redrawn.
      const next = live.slice(-Math.max(1, (output.rows || 24) - 1))
      if (stay.length === 0 && next.join('\n') === drawn.join('\n')) return
      const lines = stay.map((line) => `${line}\n`).join('')
      output.write(erase(drawn, columnsOf(output)) + lines + next.join('\n'))
      drawn = next
    },
  }
}

// Counted at every draw: the same lines take more rows after the window became narrower.
function erase(drawn: readonly string[], columns: number): string {
  if (drawn.length === 0) return ''
  let rows = 0
  for (const line of drawn) {
    rows += Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns))
  }
  return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`
}
