import type { CallId, Failure, ParentCall, RunId, TurnEvent, TurnOutcome } from '@capstan/protocol'

/** What a screen shows of a turn: a fold over its events, the same for a live turn and a stored one. */
export interface Timeline {
  readonly rows: readonly Row[]
  /** Where the rows of each run belong: at the top, or below the call that started the run. */
  readonly places: ReadonlyMap<RunId, Place>
  /** The model was called and has not answered with text or a call yet. */
  readonly waiting: boolean
  readonly startedAt?: number
  readonly endedAt?: number
  /** Set when the turn is over. */
  readonly outcome?: TurnOutcome
}

/** Rows are in reading order; a deeper row belongs to the last row above it that is less deep. */
export type Row = CallRow | NoteRow

export interface CallRow {
  readonly type: 'call'
  readonly runId: RunId
  readonly callId: CallId
  readonly depth: number
  readonly label: string
  readonly detail?: string
  readonly status: 'running' | 'asking' | 'ok' | 'failed' | 'stopped'
  readonly startedAt: number
  readonly durationMs?: number
  readonly failure?: Failure
  /** The approval it waits or waited for. */
  readonly approvalId?: string
}

/** Something the harness did besides calls. */
interface NoteRow {
  readonly type: 'note'
  readonly depth: number
  readonly text: string
}

interface Place {
  readonly depth: number
  readonly parent?: ParentCall
}

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { readonly type: Type }>

export const EMPTY_TIMELINE: Timeline = { rows: [], places: new Map(), waiting: false }

export function applyEvent(timeline: Timeline, event: TurnEvent): Timeline {
  switch (event.type) {
    case 'turn-start':
      return startRun(timeline, event)
    case 'turn-park':
      return waitFor(timeline, event, false)
    case 'turn-resume':
    case 'iteration-start':
    case 'reasoning-delta':
    case 'tool-args-delta':
      return waitFor(timeline, event, true)
    case 'text-delta':
      return waitFor(timeline, event, false)
    case 'tool-start':
      return { ...startCall(timeline, event), waiting: false }
    case 'tool-end':
      return changeCalls(timeline, (row) => (isCallOf(row, event) ? settle(row, event) : row))
    case 'approval-request':
      return changeCalls(timeline, (row) => (isCallOf(row, event) ? ask(row, event) : row))
    case 'approval-answer':
      return changeCalls(timeline, (row) =>
        row.approvalId === event.approvalId ? { ...row, status: 'running' } : row,
      )
    case 'turn-end':
      return isTop(timeline, event) ? endTurn(timeline, event) : timeline
    case 'usage-update':
    case 'prefix-break':
    case 'surface-stale':
      return timeline
    case 'model-retry':
    case 'notice-add':
    case 'message-deliver':
    case 'guard-nudge':
    case 'connection-request':
    case 'history-compact': {
      const depth = depthOf(timeline, event.runId)
      return insert(timeline, event, { type: 'note', depth, text: toNote(event) })
    }
  }
}

/** Whether the call can still change. */
export function isOpen(row: Row): boolean {
  return row.type === 'call' && (row.status === 'running' || row.status === 'asking')
}

/** Whether the event is the turn's own, not a sub-agent's. */
export function isTop({ places }: Timeline, { runId }: TurnEvent): boolean {
  return places.get(runId)?.parent === undefined
}

function waitFor(timeline: Timeline, event: TurnEvent, waiting: boolean): Timeline {
  return timeline.waiting === waiting || !isTop(timeline, event) ? timeline : { ...timeline, waiting }
}

function startRun(timeline: Timeline, { runId, parent, at }: EventOf<'turn-start'>): Timeline {
  const depth = parent ? depthOf(timeline, parent.runId) + 1 : 0
  const places = new Map(timeline.places).set(runId, parent ? { depth, parent } : { depth })
  return { ...timeline, places, startedAt: timeline.startedAt ?? at }
}

const depthOf = ({ places }: Timeline, runId: RunId): number => places.get(runId)?.depth ?? 0

/** A call that starts again after a wait or a crash has its row already. */
function startCall(timeline: Timeline, event: EventOf<'tool-start'>): Timeline {
  const { runId, callId, label, detail, at } = event
  const isBegun = timeline.rows.some((row) => isCallOf(row, event))
  if (isBegun) {
    return changeCalls(timeline, (row) => (isCallOf(row, event) ? { ...row, status: 'running' } : row))
  }
  return insert(timeline, event, {
    type: 'call',
    runId,
    callId,
    depth: depthOf(timeline, runId),
    label,
    status: 'running',
    startedAt: at,
    ...(detail === undefined ? undefined : { detail }),
  })
}

/**
 * Adds a row at the end of the rows of its run. A call that has ended gets no more rows, because its rows may be
 * printed already.
 */
function insert(timeline: Timeline, { runId }: TurnEvent, row: Row): Timeline {
  const { rows } = timeline
  const parent = timeline.places.get(runId)?.parent
  const above = parent ? rows.findIndex((candidate) => isCallOf(candidate, parent)) : -1
  const caller = rows[above]
  if (!caller) return { ...timeline, rows: [...rows, row] }
  if (!isOpen(caller)) return timeline
  const next = rows.findIndex(({ depth }, index) => index > above && depth < row.depth)
  return { ...timeline, rows: rows.toSpliced(next === -1 ? rows.length : next, 0, row) }
}

// Call ids are unique only within a run, so an id alone does not identify a call.
function isCallOf(row: Row, { runId, callId }: ParentCall): row is CallRow {
  return row.type === 'call' && row.callId === callId && row.runId === runId
}

function settle(row: CallRow, { ok, durationMs, failure }: EventOf<'tool-end'>): CallRow {
  const status = ok ? 'ok' : failure?.category === 'stopped' ? 'stopped' : 'failed'
  return { ...row, status, durationMs, ...(failure ? { failure } : undefined) }
}

function ask(row: CallRow, { approvalId }: EventOf<'approval-request'>): CallRow {
  return { ...row, status: 'asking', approvalId }
}

function endTurn(timeline: Timeline, { outcome, at }: EventOf<'turn-end'>): Timeline {
  const ended = changeCalls(timeline, (row) => (isOpen(row) ? { ...row, status: 'stopped' } : row))
  return { ...ended, waiting: false, endedAt: at, outcome }
}

function changeCalls(timeline: Timeline, change: (row: CallRow) => CallRow): Timeline {
  return { ...timeline, rows: timeline.rows.map((row) => (row.type === 'call' ? change(row) : row)) }
}

type NotedEvent = EventOf<
  'model-retry' | 'notice-add' | 'message-deliver' | 'guard-nudge' | 'connection-request' | 'history-compact'
>

function toNote(event: NotedEvent): string {
  switch (event.type) {
    case 'model-retry':
      return `${event.failure.cause} Asking the model again.`
    case 'message-deliver':
      return `You added: ${event.text}`
    case 'history-compact':
      return 'The conversation was long, so its older part was summarised.'
    case 'connection-request':
      return `It continues when ${event.name} is connected.`
    case 'guard-nudge':
      return `Reminded the model: ${event.text}`
    case 'notice-add':
      return event.text
  }
}
