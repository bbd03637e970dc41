import type { ReportLine } from '@capstan/harness/ledger'
import { displayWidth, wrap } from '../terminal/display-width.ts'
import type { Marks } from './draw-timeline.ts'
import { marksOf } from './draw-timeline.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Paint, Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'

/** The report on a run, as lines of a terminal. Nothing is cut: long lines are wrapped. */
export function drawRunReport(report: readonly ReportLine[], style: Style): readonly string[] {
  return report.flatMap((line, index) => {
    if (line.kind === 'heading') return [...(index > 0 ? [''] : []), paint(style, 'bold', line.text)]
    return drawLine(line, style)
  })
}

function drawLine({ kind, depth, text, time = '' }: ReportLine, style: Style): readonly string[] {
  const marks = marksOf(style)
  const { mark, how, words } = LOOKS[kind](marks)
  const guides = paint(style, 'dim', `${marks.guide} `.repeat(kind === 'fact' ? 0 : depth))
  const margin = `  ${kind === 'fact' ? '  '.repeat(depth) : ''}`
  const indent = margin.length + (kind === 'fact' ? 0 : depth * 2) + (mark === '' ? 0 : 2)
  const space = style.width - indent - (time === '' ? 0 : time.length + 2)
  const [first = '', ...rest] = wrap(toPrintableLine(text), space)
  const gap = ' '.repeat(Math.max(1, style.width - indent - displayWidth(first) - time.length))
  const sign = mark === '' ? '' : `${paint(style, how, mark)} `
  const below = mark === '' ? '' : '  '
  return [
    margin +
      guides +
      sign +
      toPainted(first, words, style) +
      (time === '' ? '' : gap + paint(style, 'dim', time)),
    ...rest.map((line) => margin + guides + below + toPainted(line, words, style)),
  ]
}

const toPainted = (text: string, how: Paint | undefined, style: Style): string =>
  how ? paint(style, how, text) : text

interface Look {
  readonly mark: string
  readonly how: Paint
  readonly words?: Paint
}

const LOOKS: Readonly<Record<ReportLine['kind'], (marks: Marks) => Look>> = {
  heading: () => ({ mark: '', how: 'bold' }),
  fact: () => ({ mark: '', how: 'dim' }),
  step: ({ step }) => ({ mark: step, how: 'cyan', words: 'dim' }),
  note: ({ note }) => ({ mark: note, how: 'dim' }),
  reason: () => ({ mark: ' ', how: 'dim' }),
  ok: ({ ok }) => ({ mark: ok, how: 'green' }),
  failed: ({ failed }) => ({ mark: failed, how: 'red' }),
  stopped: ({ stopped }) => ({ mark: stopped, how: 'dim' }),
  running: ({ running }) => ({ mark: running, how: 'cyan' }),
  waiting: ({ ask }) => ({ mark: ask, how: 'yellow' }),
  unknown: ({ ask }) => ({ mark: ask, how: 'red' }),
}
