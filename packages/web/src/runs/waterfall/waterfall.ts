import type { CallRow, RunDetail, RunRow, RunStatus, TimeSpan } from '@capstan/protocol'
import type { FailureStage } from '../../i18n/use-failure-words.ts'
import { stageOf } from '../../i18n/use-failure-words.ts'

/**
 * How a bar ended. `held`: ended early by a person, a guard or a limit. `unknown`: started, and it is not known whether
 * it took effect.
 */
export type Tone = 'ok' | 'failed' | 'held' | 'waiting' | 'running' | 'unknown'

interface RowFacts {
  /** Unique within the chart: a call's id is unique only within its run. */
  readonly key: string
  /** The row above it in the tree; the root has none. */
  readonly parentKey?: string
  /** 0 for the root. */
  readonly level: number
  readonly hasChildren: boolean
  /** Since the start of the chart. */
  readonly startMs: number
  readonly endMs: number
  readonly tone: Tone
  /** The times in it that were no work of a tool. */
  readonly parts: readonly WaterfallPart[]
}

/** A time in which a row waited for the model or for a person. */
export interface WaterfallPart extends TimeWindow {
  readonly kind: TimeSpan['kind']
}

export type WaterfallRow =
  | (RowFacts & { readonly kind: 'run'; readonly run: RunRow })
  | (RowFacts & { readonly kind: 'call'; readonly call: CallRow })

export interface Waterfall {
  /** Depth first: the rows below a row follow it. */
  readonly rows: readonly WaterfallRow[]
  /** When the chart starts, in milliseconds since 1970. */
  readonly startedAt: number
  /** Never 0. */
  readonly totalMs: number
  readonly stage: FailureStage
}

/**
 * A run's tree as rows over time. An open row ends at `now`. A sub-agent is below the call that started it, or below
 * its run while that call is not in the ledger yet. Pure.
 */
export function layOutWaterfall({ run, tree, calls, spans }: RunDetail, now: number): Waterfall {
  const runs = tree.some(({ id }) => id === run.id) ? tree : [run, ...tree]
  const startedAt = Math.min(...runs.map((row) => row.startedAt))
  const byStart = (a: { startedAt: number }, b: { startedAt: number }): number => a.startedAt - b.startedAt
  const rows: WaterfallRow[] = []

  const since = (at: number): number => Math.max(0, at - startedAt)
  const span = (start: number, end: number): { startMs: number; endMs: number } => ({
    startMs: since(start),
    endMs: Math.max(since(start), since(end)),
  })

  /** The spans of some runs, cut to a row. */
  function partsOf(
    kinds: readonly TimeSpan['kind'][],
    ids: readonly string[],
    row: TimeWindow,
  ): readonly WaterfallPart[] {
    return spans
      .filter(({ kind, runId }) => kinds.includes(kind) && ids.includes(runId))
      .map(({ kind, ...own }) => {
        const { startMs, endMs } = span(own.startedAt, own.endedAt ?? now)
        return { kind, startMs: Math.max(startMs, row.startMs), endMs: Math.min(endMs, row.endMs) }
      })
      .filter(({ startMs, endMs }) => endMs > startMs)
  }

  const idsBelow = (id: string): readonly string[] => [
    id,
    ...runs.filter(({ parent }) => parent?.runId === id).flatMap((child) => idsBelow(child.id)),
  ]

  /** A call cannot start after the sub-agents that it started. */
  const startOf = (call: CallRow, owner: RunRow): number =>
    Math.min(
      ownStartOf(call, owner),
      ...runs
        .filter(({ parent }) => parent?.runId === owner.id && parent.callId === call.callId)
        .map((child) => Math.max(owner.startedAt, child.startedAt)),
    )

  function addRun(row: RunRow, level: number, parentKey: string | undefined): void {
    const key = row.id
    const children = runs.filter(({ parent }) => parent?.runId === row.id).toSorted(byStart)
    const own = calls
      .filter(({ runId }) => runId === row.id)
      .map((call) => ({ call, startedAt: startOf(call, row) }))
      .toSorted(byStart)
    const known = new Set(own.map(({ call }) => call.callId))
    const time = span(row.startedAt, row.endedAt ?? now)
    const strays = children.filter(({ parent }) => parent && !known.has(parent.callId))
    rows.push({
      kind: 'run',
      run: row,
      key,
      ...(parentKey === undefined ? undefined : { parentKey }),
      level,
      hasChildren: own.length + strays.length > 0,
      ...time,
      tone: toneOfStatus(row.status),
      parts: partsOf(['model', 'waiting'], [row.id], time),
    })
    const below = [
      ...own.map((entry) => ({
        startedAt: entry.startedAt,
        add: () => addCall(entry.call, row, children, level + 1),
      })),
      ...strays.map((child) => ({ startedAt: child.startedAt, add: () => addRun(child, level + 1, key) })),
    ].toSorted(byStart)
    for (const { add } of below) add()
  }

  function addCall(call: CallRow, owner: RunRow, children: readonly RunRow[], level: number): void {
    const key = callKey(call)
    const below = children.filter(({ parent }) => parent?.callId === call.callId)
    const tone = toneOfCall(call, owner)
    const end = call.status === 'started' ? (tone === 'unknown' ? call.at : now) : call.at
    const time = span(startOf(call, owner), end)
    rows.push({
      kind: 'call',
      call,
      key,
      parentKey: owner.id,
      level,
      hasChildren: below.length > 0,
      ...time,
      tone,
      parts: partsOf(['waiting'], [owner.id, ...below.flatMap(({ id }) => idsBelow(id))], time),
    })
    for (const child of below) addRun(child, level + 1, key)
  }

  addRun(run, 0, undefined)
  const totalMs = Math.max(1, ...rows.map(({ endMs }) => endMs))
  return { rows, startedAt, totalMs, stage: stageOf(run.status) }
}

const callKey = ({ runId, callId }: CallRow): string => `${runId}/${callId}`

/** A call cannot start before its run, also when the clock was set back. */
const ownStartOf = (call: CallRow, owner: RunRow): number =>
  Math.max(owner.startedAt, call.status === 'started' ? call.at : call.at - call.durationMs)

/** The tone of a run's status. */
export function toneOfStatus(status: RunStatus): Tone {
  switch (status) {
    case 'done':
      return 'ok'
    case 'failed':
      return 'failed'
    case 'running':
      return 'running'
    case 'waiting':
    case 'needs-input':
      return 'waiting'
    case 'halted':
    case 'capped':
    case 'aborted':
      return 'held'
  }
}

function toneOfCall({ status, failure }: CallRow, owner: RunRow): Tone {
  if (status === 'ok') return 'ok'
  if (status === 'started') {
    if (owner.status === 'running') return 'running'
    return owner.status === 'waiting' ? 'waiting' : 'unknown'
  }
  if (failure?.class === 'interrupted') return 'unknown'
  return failure?.category === 'declined' || failure?.category === 'stopped' ? 'held' : 'failed'
}

/** The visible rows: everything below a row in `closed` is hidden. */
export function openRows(
  rows: readonly WaterfallRow[],
  closed: ReadonlySet<string>,
): readonly WaterfallRow[] {
  const hidden = new Set<string>()
  return rows.filter(({ key, parentKey }) => {
    const isHidden = parentKey !== undefined && (closed.has(parentKey) || hidden.has(parentKey))
    if (isHidden) hidden.add(key)
    return !isHidden
  })
}

/** A part of the chart's time, in milliseconds since its start. */
export interface TimeWindow {
  readonly startMs: number
  readonly endMs: number
}

/** The place of a bar in a window, in percent of its width. Undefined when it is outside. */
export function placeBar(
  bar: TimeWindow,
  window: TimeWindow,
): { readonly startPercent: number; readonly widthPercent: number } | undefined {
  if (bar.endMs < window.startMs || bar.startMs > window.endMs) return undefined
  const widthMs = Math.max(1, window.endMs - window.startMs)
  const start = Math.max(bar.startMs, window.startMs)
  const end = Math.min(bar.endMs, window.endMs)
  return {
    startPercent: ((start - window.startMs) / widthMs) * 100,
    widthPercent: ((end - start) / widthMs) * 100,
  }
}

/** A window around a row, with a small margin on both sides. */
export function windowAround(
  { startMs, endMs }: TimeWindow,
  { totalMs }: Pick<Waterfall, 'totalMs'>,
): TimeWindow {
  const airMs = Math.max(1, (endMs - startMs) * 0.05)
  return { startMs: Math.max(0, startMs - airMs), endMs: Math.min(totalMs, endMs + airMs) }
}

/** Where a point in time is in the window, in percent. */
export const placePercent = (ms: number, { startMs, endMs }: TimeWindow): number =>
  ((ms - startMs) / Math.max(1, endMs - startMs)) * 100
