import { toCost, toCount, toDuration, toTokens } from '@capstan/harness/ledger'
import type { Failure, TurnOutcome, Usage } from '@capstan/protocol'
import { cutToWidth, displayWidth, wrap } from '../terminal/display-width.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Paint, Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'
import type { CallRow, TimelineRow, TurnSummary } from './timeline-row.ts'

/** The symbols of one kind of terminal. */
export interface Marks {
  readonly ok: string
  readonly failed: string
  readonly stopped: string
  readonly note: string
  readonly ask: string
  readonly guide: string
  readonly step: string
  readonly running: string
  readonly more: string
  readonly between: string
  readonly spinner: readonly string[]
}

const UNICODE: Marks = {
  ok: '✓',
  failed: '✗',
  stopped: '■',
  note: '•',
  ask: '?',
  guide: '│',
  step: '→',
  running: '…',
  more: '…',
  between: ' · ',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
}

const ASCII: Marks = {
  ok: '+',
  failed: 'x',
  stopped: '-',
  note: '*',
  ask: '?',
  guide: '|',
  step: '>',
  running: '~',
  more: '...',
  between: ', ',
  spinner: ['|', '/', '-', '\\'],
}

const FRAME_MS = 100
/** The symbols a terminal can show. */
export const marksOf = ({ unicode }: Style): Marks => (unicode ? UNICODE : ASCII)

/** One line per row; below a failed call its cause and the next step. `now` animates running calls. */
export function drawRows(rows: readonly TimelineRow[], style: Style, now: number): readonly string[] {
  return rows.flatMap((row) =>
    row.type === 'call' ? drawCall(row, style, now) : drawNote(row.text, row.depth, style),
  )
}

/** The line shown until the model begins to answer. */
export function drawWaiting(style: Style, now: number): string {
  return `  ${paint(style, 'cyan', spinnerAt(style, now))} ${paint(style, 'dim', 'Thinking')}`
}

/** How the turn ended and what it used. Empty while it runs. */
export function drawSummary(summary: TurnSummary, style: Style): readonly string[] {
  const { outcome, rows, workedMs, waitedMs = 0 } = summary
  if (!outcome) return []
  const { mark, how, label } = endingOf(outcome, marksOf(style))
  const calls = rows.filter((row) => row.type === 'call')
  const failed = calls.filter(({ status }) => status === 'failed').length
  const facts = [
    label,
    toCount(outcome.iterations, 'step'),
    ...(calls.length > 0 ? [toCount(calls.length, 'call') + (failed > 0 ? ` (${failed} failed)` : '')] : []),
    ...toUsageFacts(outcome.usage),
    ...(workedMs === undefined ? [] : [toDuration(workedMs)]),
    ...(waitedMs > 0 ? [`waited ${toDuration(waitedMs)} for you`] : []),
  ]
  const [first = '', ...rest] = packFacts(facts, marksOf(style).between, style.width - 4)
  return [
    `  ${paint(style, how, mark)} ` +
      paint(style, 'bold', first.slice(0, label.length)) +
      paint(style, 'dim', first.slice(label.length)),
    ...rest.map((line) => `    ${paint(style, 'dim', line)}`),
    ...(outcome.type === 'failed' ? drawFailure(outcome.failure, '    ', style) : []),
  ]
}

function drawCall(row: CallRow, style: Style, now: number): readonly string[] {
  const indent = indentOf(row.depth, style)
  const time = timeOf(row, now)
  const space = style.width - displayWidth(indent) - 2
  const name = cutToWidth(toPrintableLine(row.label), space - time.length - 1, marksOf(style).more)
  const detailSpace = space - displayWidth(name) - time.length - 4
  const detail =
    detailSpace < 3 ? '' : cutToWidth(toPrintableLine(row.detail ?? ''), detailSpace, marksOf(style).more)
  const left = displayWidth(name) + (detail === '' ? 0 : 2 + displayWidth(detail))
  const line =
    paint(style, 'dim', indent) +
    markOf(row, style, now) +
    ` ${paint(style, 'bold', name)}` +
    (detail === '' ? '' : `  ${detail}`) +
    (time === '' ? '' : ' '.repeat(Math.max(1, space - left - time.length)) + paint(style, 'dim', time))
  return row.status === 'failed' && row.failure
    ? [line, ...drawFailure(row.failure, `${indent}  `, style)]
    : [line]
}

function markOf({ status }: CallRow, style: Style, now: number): string {
  const marks = marksOf(style)
  switch (status) {
    case 'running':
      return paint(style, 'cyan', spinnerAt(style, now))
    case 'asking':
    case 'connecting':
    case 'held':
      return paint(style, 'yellow', marks.ask)
    case 'ok':
      return paint(style, 'green', marks.ok)
    case 'failed':
      return paint(style, 'red', marks.failed)
    case 'stopped':
      return paint(style, 'dim', marks.stopped)
  }
}

// A call in its first second shows no time, because most calls are over before it could be read.
function timeOf({ durationMs, status, startedAt }: CallRow, now: number): string {
  if (durationMs !== undefined) return toDuration(durationMs)
  if (status === 'asking') return 'waits for approval'
  if (status === 'connecting') return 'waits for sign-in'
  if (status === 'held') return 'waits for release'
  const seconds = Math.floor((now - startedAt) / 1000)
  return status === 'running' && seconds >= 1 ? toDuration(seconds * 1000).replace('.0', '') : ''
}

function drawFailure({ cause, next }: Failure, indent: string, style: Style): readonly string[] {
  return [...drawField('Why: ', cause, indent, style), ...drawField('What to do next: ', next, indent, style)]
}

function drawField(heading: string, text: string, indent: string, style: Style): readonly string[] {
  const lines = wrap(heading + toPrintableLine(text), style.width - displayWidth(indent) - 2)
  return lines.map((line, index) => {
    const start = paint(style, 'dim', indent)
    if (index > 0) return `${start}  ${line}`
    return start + paint(style, 'yellow', line.slice(0, heading.length)) + line.slice(heading.length)
  })
}

function drawNote(text: string, depth: number, style: Style): readonly string[] {
  const { note, more } = marksOf(style)
  const indent = indentOf(depth, style)
  const line = cutToWidth(toPrintableLine(text), style.width - displayWidth(indent) - 2, more)
  return [paint(style, 'dim', `${indent}${note} ${line}`)]
}

const indentOf = (depth: number, style: Style): string => `  ${`${marksOf(style).guide} `.repeat(depth)}`

function spinnerAt(style: Style, now: number): string {
  const { spinner } = marksOf(style)
  return spinner[Math.floor(now / FRAME_MS) % spinner.length] ?? ''
}

function endingOf(outcome: TurnOutcome, marks: Marks): { mark: string; how: Paint; label: string } {
  switch (outcome.type) {
    case 'done':
      return { mark: marks.ok, how: 'green', label: outcome.cut ? "Done, cut at the model's limit" : 'Done' }
    case 'halted':
      return { mark: marks.stopped, how: 'yellow', label: `Halted by ${toPrintableLine(outcome.guard)}` }
    case 'capped':
      return { mark: marks.stopped, how: 'yellow', label: 'Paused at its limit' }
    case 'needs-input':
      return { mark: marks.ask, how: 'yellow', label: 'Waiting for your answer' }
    case 'failed':
      return { mark: marks.failed, how: 'red', label: 'Failed' }
    case 'aborted':
      return { mark: marks.stopped, how: 'dim', label: 'Stopped' }
  }
}

/** Puts as many facts on a line as fit. A fact is wrapped only when it is wider than a line. */
function packFacts(facts: readonly string[], between: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const fact of facts) {
    const last = lines.at(-1)
    if (last !== undefined && displayWidth(last + between + fact) <= width)
      lines[lines.length - 1] = last + between + fact
    else lines.push(...wrap(fact, width))
  }
  return lines
}

function toUsageFacts(usage: Usage): readonly string[] {
  return usage.inputTokens + usage.outputTokens === 0 ? [] : [toTokens(usage), toCost(usage)]
}
