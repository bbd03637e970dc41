import type { Turn } from '@capstan/client/view'
import { currentStepOf, EMPTY_THREAD, foldEvents, rootOf } from '@capstan/client/view'
import type { TurnEvent } from '@capstan/protocol'
import { BlockPrinter } from './block-printer.ts'
import { drawRows, drawSummary, drawWaiting } from './draw-timeline.ts'
import type { Screen } from '../terminal/live-screen.ts'
import type { Environment } from '../terminal/style.ts'
import { styleOf } from '../terminal/style.ts'
import type { CallRow, TimelineRow } from './timeline-row.ts'
import { toTimelineRows, toTurnSummary } from './timeline-row.ts'
import { TurnText } from './turn-text.ts'

/** Shows one turn while it runs: text and timeline, in the order of the events. */
export interface TurnView {
  /** Whether the turn has ended. */
  readonly isOver: boolean
  readonly onEvent: (event: TurnEvent) => void
  /** Draws again what may have changed without an event, such as a footer. */
  refresh(): void
  /** Adds lines below what the turn has shown so far. */
  addLines(lines: readonly string[]): void
  /** Stops drawing. Lines that could still change are removed. */
  close(): void
}

/** Where a turn is shown. */
export interface TurnViewOptions {
  readonly env: Environment
  /** Where the text is streamed; absent: nowhere. */
  readonly text?: Screen
  /** Where the timeline is drawn; absent: nowhere. Can be the same screen. */
  readonly rows?: Screen
  /** Lines kept at the bottom of a live screen. */
  readonly footer?: () => readonly string[]
  readonly now?: () => number
}

const TICK_MS = 100

/** Shows one turn on one or two screens. */
export function createTurnView(options: TurnViewOptions): TurnView {
  const { rows, env, now = Date.now } = options
  const printer = new BlockPrinter()
  const text = options.text && new TurnText(options.text, printer)
  let thread = EMPTY_THREAD
  let timeline: readonly TimelineRow[] = []
  let printed = 0
  const timer = rows?.isLive ? setInterval(refresh, TICK_MS).unref() : undefined

  const currentTurn = (): Turn | undefined => thread.turns.at(-1)

  function onEvent(event: TurnEvent): void {
    thread = foldEvents(thread, [event])
    const turn = currentTurn()
    if (!turn) return
    timeline = toTimelineRows(turn)
    const isOwn = event.runId === turn.runId
    if (isOwn) text?.follow(event)
    printSettled()
    if (event.type === 'turn-end' && isOwn) {
      text?.printFinal(event.outcome)
      if (rows) printer.print(rows, 'summary', drawSummary(toTurnSummary(turn), styleOf(rows.output, env)))
    }
    refresh()
  }

  /** Prints the rows that cannot change any more, up to the first that can. */
  function printSettled(): void {
    const next = firstUnsettled(timeline)
    if (next <= printed) return
    const settled = timeline.slice(printed, next)
    if (rows) printer.print(rows, 'rows', drawRows(settled, styleOf(rows.output, env), now()))
    printed = next
  }

  function refresh(): void {
    const textLines = text?.liveLines() ?? []
    if (rows?.isLive && rows === options.text)
      rows.draw([], [...textLines, ...liveRows(rows), ...liveFooter()])
    else {
      if (options.text?.isLive) options.text.draw([], textLines)
      if (rows?.isLive) rows.draw([], [...liveRows(rows), ...liveFooter()])
    }
  }

  function liveRows(screen: Screen): readonly string[] {
    const style = styleOf(screen.output, env)
    const lines = drawRows(timeline.slice(printed), style, now())
    const waiting = isThinking(currentTurn()) ? [drawWaiting(style, now())] : []
    return printer.spaced(screen, 'rows', [...lines, ...waiting])
  }

  function liveFooter(): readonly string[] {
    const lines = options.footer?.() ?? []
    return lines.length > 0 ? ['', ...lines] : []
  }

  return {
    get isOver() {
      const turn = currentTurn()
      return turn !== undefined && rootOf(turn).outcome !== undefined
    },
    onEvent,
    refresh,
    addLines(lines) {
      const screen = rows ?? options.text
      if (screen) printer.print(screen, 'aside', lines)
      refresh()
    },
    close() {
      clearInterval(timer)
      for (const screen of new Set([options.text, rows])) screen?.draw([], [])
    },
  }
}

const OPEN: ReadonlySet<CallRow['status']> = new Set(['running', 'asking', 'connecting', 'held'])

/** Whether the model was called and has not answered with text or a call yet. */
function isThinking(turn: Turn | undefined): boolean {
  if (!turn || rootOf(turn).outcome) return false
  const { type } = currentStepOf(turn)
  return type === 'thinking' || type === 'preparing'
}

/** The first row that can still change or get rows below it: no row below a running call is settled. */
function firstUnsettled(rows: readonly TimelineRow[]): number {
  const open = rows.findIndex((row) => row.type === 'call' && OPEN.has(row.status))
  return open === -1 ? rows.length : open
}
