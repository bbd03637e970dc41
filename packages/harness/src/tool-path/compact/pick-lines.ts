import type { Weight } from './log-lines.ts'
import { weigh } from './log-lines.ts'

const HEAD_SHARE = 0.15
const TAIL_SHARE = 0.3
// An assertion is followed by what was expected and what came; a stack trace by where.
const LINES_AFTER_ERROR = 8
// What a note on a gap takes, about.
const NOTE_CHARS = 28

/**
 * The lines that fit into the space, in their order, with a note wherever some are missing: the beginning and the
 * end, then errors, what follows them, warnings, and more of the end.
 */
export function pickLines(lines: readonly string[], space: number): readonly string[] {
  const isPicked = new Uint8Array(lines.length)
  let left = space
  const pick = (index: number, least = 0): boolean => {
    const line = lines[index]
    if (line === undefined || isPicked[index] === 1) return true
    if (left - line.length - 1 < least) return false
    isPicked[index] = 1
    left -= line.length + 1
    return true
  }
  const pickFrom = (index: number, step: 1 | -1, least: number) => {
    for (let at = index; at >= 0 && at < lines.length && pick(at, least); at += step);
  }
  pickFrom(0, 1, space * (1 - HEAD_SHARE))
  pickFrom(lines.length - 1, -1, space * (1 - HEAD_SHARE - TAIL_SHARE))

  const weights: (Weight | undefined)[] = []
  const weightOf = (index: number): Weight => (weights[index] ??= weigh(lines[index]!))
  const pickAll = (weight: Weight) => {
    for (let index = 0; index < lines.length; index++) {
      if (isPicked[index] === 1 || weightOf(index) !== weight) continue
      left -= NOTE_CHARS
      pick(index)
    }
  }
  pickAll('error')
  for (let index = 0; index < lines.length; index++) {
    if (isPicked[index] === 0 || weightOf(index) !== 'error') continue
    const end = Math.min(lines.length, index + 1 + LINES_AFTER_ERROR)
    for (let after = index + 1; after < end && weightOf(after) === 'plain'; after++) if (!pick(after)) break
  }
  pickAll('warning')
  pickFrom(lines.length - 1, -1, 0)
  return withNotes(lines, isPicked)
}

function withNotes(lines: readonly string[], isPicked: Uint8Array): readonly string[] {
  const shown: string[] = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (end < lines.length && isPicked[end] === 0) end++
    if (end > at) {
      const gap = lines.slice(at, end)
      // A gap shorter than the note on it is no gap.
      if (gap.reduce((sum, line) => sum + line.length + 1, 0) <= NOTE_CHARS) shown.push(...gap)
      else shown.push(`[… ${gap.length} ${gap.length === 1 ? 'line' : 'lines'} left out]`)
      at = end
    } else shown.push(lines[at++] ?? '')
  }
  return shown
}
