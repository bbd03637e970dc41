import type { RunReport, ReportCall, ReportStep } from '@capstan/harness/ledger'
import type { TurnOutcome } from '@capstan/protocol'
import { wrap } from '../terminal/display-width.ts'
import { drawRows, drawSummary } from './draw-timeline.ts'
import { toPrintable, toPrintableLine } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { paint } from '../terminal/style.ts'
import type { CallRow, TimelineRow } from './timeline-row.ts'

/** Stored turns, drawn as they were shown while they ran. */
export function drawThread(turns: readonly RunReport[], style: Style): readonly string[] {
  return turns.flatMap((turn, index) => [...(index > 0 ? [''] : []), ...drawTurn(turn, style)])
}

/** A message of the user. */
export function drawPrompt(text: string, style: Style): readonly string[] {
  return wrapText(text, style.width - 2).map((line, index) =>
    paint(style, 'cyan', `${index === 0 ? '>' : ' '} ${line}`),
  )
}

function drawTurn(turn: RunReport, style: Style): readonly string[] {
  const lines = [...drawPrompt(turn.asked, style)]
  let last: 'prompt' | 'text' | 'rows' = 'prompt'
  const add = (block: 'text' | 'rows', more: readonly string[]): void => {
    if (more.length === 0) return
    if (last !== block || block === 'text') lines.push('')
    lines.push(...more)
    last = block
  }
  for (const step of turn.steps) {
    if (step.type === 'said') add('text', drawReply(step, style))
    else add('rows', drawRows(toRows(step, 0), style, 0))
  }
  const { outcome } = turn.stopped
  if (outcome && isMissingFromSteps(outcome, turn)) add('text', wrapText(outcome.text, style.width))
  const rows = turn.steps.flatMap((step) => toRows(step, 0))
  const { durationMs, waitedMs, endedAt } = turn
  return [
    ...lines,
    '',
    ...(outcome && endedAt !== undefined
      ? drawSummary({ rows, workedMs: durationMs - waitedMs, waitedMs, outcome }, style)
      : wrap(turn.stopped.sentence, style.width - 2).map(
          (line) => `  ${paint(style, 'yellow', toPrintableLine(line))}`,
        )),
  ]
}

function drawReply(
  { text, cut }: Extract<ReportStep, { readonly type: 'said' }>,
  style: Style,
): readonly string[] {
  const lines = wrapText(text, style.width)
  return cut ? [...lines, paint(style, 'dim', '(cut off)')] : lines
}

/** Whether the outcome has a text that is in no reply of the model. */
function isMissingFromSteps({ type, text }: TurnOutcome, { steps }: RunReport): boolean {
  if (type === 'failed' || type === 'aborted' || type === 'done') return false
  const reply = steps.findLast((step) => step.type === 'said')
  return reply?.type !== 'said' || reply.text.trim() !== text.trim()
}

function toRows(step: ReportStep, depth: number): readonly TimelineRow[] {
  switch (step.type) {
    case 'call':
      return [
        toCallRow(step, depth),
        ...step.runs.flatMap(({ steps }) => steps.flatMap((below) => toRows(below, depth + 1))),
      ]
    case 'retry':
      return [note(`${step.failure.cause} Asking the model again.`, depth)]
    case 'notice':
      return [note(step.text, depth)]
    case 'nudge':
      return [note(`Reminded the model: ${step.text}`, depth)]
    case 'message':
      return [
        note(
          `You added: ${step.text}${step.delivery === 'delivered' ? '' : ` (${step.refused ?? step.delivery})`}`,
          depth,
        ),
      ]
    case 'compaction':
      return [note('The conversation was long, so its older part was summarised.', depth)]
    case 'resume':
      return step.after === 'interruption' ? [note('It was interrupted here and resumed.', depth)] : []
    case 'iteration':
    case 'said':
    case 'prefix-break':
    case 'stale':
    case 'park':
      return []
  }
}

const note = (text: string, depth: number): TimelineRow => ({ type: 'note', depth, text })

function toCallRow(
  { at, label, detail, status, durationMs, failure }: ReportCall & ReportStep,
  depth: number,
): CallRow {
  return {
    type: 'call',
    depth,
    label,
    ...(detail === undefined ? undefined : { detail }),
    status:
      status === 'waiting' ? 'asking' : status === 'unknown' || status === 'running' ? 'stopped' : status,
    startedAt: at,
    ...(durationMs === undefined ? undefined : { durationMs }),
    ...(failure ? { failure } : undefined),
  }
}

function wrapText(text: string, width: number): readonly string[] {
  return toPrintable(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrap(line, width))
}
