import { toPrintableLine } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'

/** What was found of one part, and what to do about it. */
export interface DrawnCheck {
  readonly id: string
  readonly state: keyof typeof MARKS
  readonly found: string
  readonly next?: string
}

const MARKS = { ok: ['✓', 'ok', 'green'], warning: ['!', '!', 'yellow'], failed: ['✗', 'x', 'red'] } as const

/** One line, and a second one with what to do. `width`: of the names. */
export function drawCheck(
  { id, state, found, next }: DrawnCheck,
  style: Style,
  width = 9,
): readonly string[] {
  const [unicode, plain, colour] = MARKS[state]
  const mark = style.unicode ? unicode : plain.padEnd(2)
  const line = `${paint(style, colour, mark)} ${id.padEnd(width)} ${toPrintableLine(found)}`
  return next === undefined
    ? [line]
    : [line, paint(style, 'dim', `  ${' '.repeat(width)} ${toPrintableLine(next)}`)]
}
