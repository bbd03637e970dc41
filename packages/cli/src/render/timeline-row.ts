import type { CallStatus, Note, Row, Turn } from '@capstan/client/view'
import { rootOf, rowsOf, workedMs } from '@capstan/client/view'
import type { Failure, TurnOutcome } from '@capstan/protocol'

/** One row of a timeline, ready to draw. A deeper row belongs to the last row above it that is less deep. */
export type TimelineRow = CallRow | NoteRow

/** A tool call. */
export interface CallRow {
  readonly type: 'call'
  readonly depth: number
  readonly label: string
  readonly detail?: string
  readonly status: Exclude<CallStatus, 'writing'>
  readonly startedAt: number
  readonly durationMs?: number
  readonly failure?: Failure
}

/** Something the harness did besides calls. */
interface NoteRow {
  readonly type: 'note'
  readonly depth: number
  readonly text: string
}

/** What the last lines of a turn are drawn from. */
export interface TurnSummary {
  readonly rows: readonly TimelineRow[]
  /** How long it worked. The time in which it waited for a person is no work. */
  readonly workedMs?: number
  readonly waitedMs?: number
  /** Absent while the turn runs. */
  readonly outcome?: TurnOutcome
}

/** The timeline of a turn, from the fold of its events. */
export function toTimelineRows(turn: Turn): readonly TimelineRow[] {
  return rowsOf(turn).flatMap(toTimelineRow)
}

/** The summary of a turn, from the fold of its events. */
export function toTurnSummary(turn: Turn): TurnSummary {
  const { startedAt, endedAt, outcome } = rootOf(turn)
  const worked = endedAt === undefined ? undefined : workedMs(turn, endedAt)
  return {
    rows: toTimelineRows(turn),
    ...(endedAt === undefined || worked === undefined
      ? undefined
      : { workedMs: worked, waitedMs: endedAt - startedAt - worked }),
    ...(outcome ? { outcome } : undefined),
  }
}

function toTimelineRow({ depth, item }: Row): readonly TimelineRow[] {
  if (item.type !== 'call') {
    const text = toNoteText(item)
    return text === undefined ? [] : [{ type: 'note', depth, text }]
  }
  const { label, detail, status, startedAt, durationMs, failure } = item
  // Calls that are still being written have no row.
  if (status === 'writing') return []
  return [
    {
      type: 'call',
      depth,
      label,
      status,
      startedAt,
      ...(detail === undefined ? undefined : { detail }),
      ...(durationMs === undefined ? undefined : { durationMs }),
      ...(failure ? { failure } : undefined),
    },
  ]
}

/** Undefined for notes that only a report on the run shows. */
function toNoteText(note: Note): string | undefined {
  switch (note.type) {
    case 'retry':
      return `${note.failure.cause} Asking the model again.`
    case 'message':
      return `You added: ${note.text}`
    case 'nudge':
      return `Reminded the model: ${note.text}`
    case 'notice':
      return note.text
    case 'compaction':
      return 'The conversation was long, so its older part was summarised.'
    case 'quiet':
      return 'The model has said nothing yet.'
    case 'resume':
      return 'It was interrupted here and resumed.'
    case 'prefix-break':
    case 'stale':
      return undefined
  }
}
