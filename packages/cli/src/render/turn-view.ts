import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import { BlockPrinter } from './block-printer.ts'
import { drawRows, drawSummary, drawWaiting } from './draw-timeline.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { StreamedText } from '../terminal/streamed-text.ts'
import type { Environment } from '../terminal/style.ts'
import { styleOf } from '../terminal/style.ts'
import type { Timeline } from './timeline.ts'
import { applyEvent, EMPTY_TIMELINE, isOpen, isTop } from './timeline.ts'

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
  const { text, rows, env, now = Date.now } = options
  const words = new StreamedText()
  const printer = new BlockPrinter()
  let timeline = EMPTY_TIMELINE
  let printed = 0
  let streamed = ''
  const timer = rows?.isLive ? setInterval(refresh, TICK_MS).unref() : undefined

  function onEvent(event: TurnEvent): void {
    timeline = applyEvent(timeline, event)
    if (isTop(timeline, event)) followTop(event)
    printSettled()
    if (event.type === 'turn-end' && timeline.outcome) {
      printFinalText(timeline.outcome)
      if (rows) printer.print(rows, 'summary', drawSummary(timeline, styleOf(rows.output, env)))
    }
    refresh()
  }

  function followTop(event: TurnEvent): void {
    if (event.type === 'text-delta') {
      streamed += event.delta
      if (text) printer.print(text, 'text', words.push(event.delta, widthOf(text)))
    } else if (event.type === 'iteration-start') streamed = ''
    else if (event.type === 'tool-start' || event.type === 'message-deliver' || event.type === 'turn-end') {
      endText()
    }
  }

  function endText(): void {
    if (!text) return
    printer.print(text, 'text', words.end(widthOf(text)))
    printer.endParagraph(text)
  }

  /** Prints the rows that cannot change any more, up to the first that can. */
  function printSettled(): void {
    const next = firstUnsettled(timeline.rows)
    if (next <= printed) return
    const settled = timeline.rows.slice(printed, next)
    if (rows) printer.print(rows, 'rows', drawRows(settled, styleOf(rows.output, env), now()))
    printed = next
  }

  // Some outcomes have a text that was never streamed. The text of a failure is in the summary.
  function printFinalText({ type, text: ending }: TurnOutcome): void {
    if (!text || type === 'failed' || type === 'aborted') return
    if (type === 'done' ? streamed.trim() !== '' : squeeze(streamed).endsWith(squeeze(ending))) return
    printer.print(text, 'text', [...words.push(ending, widthOf(text)), ...words.end(widthOf(text))])
  }

  function refresh(): void {
    if (rows?.isLive && rows === text) rows.draw([], [...liveText(rows), ...liveRows(rows), ...liveFooter()])
    else {
      if (text?.isLive) text.draw([], liveText(text))
      if (rows?.isLive) rows.draw([], [...liveRows(rows), ...liveFooter()])
    }
  }

  function liveText(screen: Screen): readonly string[] {
    return printer.spaced(screen, 'text', words.open(widthOf(screen)))
  }

  function liveRows(screen: Screen): readonly string[] {
    const style = styleOf(screen.output, env)
    const lines = drawRows(timeline.rows.slice(printed), style, now())
    return printer.spaced(screen, 'rows', timeline.waiting ? [...lines, drawWaiting(style, now())] : lines)
  }

  function liveFooter(): readonly string[] {
    const lines = options.footer?.() ?? []
    return lines.length > 0 ? ['', ...lines] : []
  }

  return {
    get isOver() {
      return timeline.outcome !== undefined
    },
    onEvent,
    refresh,
    addLines(lines) {
      const screen = rows ?? text
      if (screen) printer.print(screen, 'aside', lines)
      refresh()
    },
    close() {
      clearInterval(timer)
      for (const screen of new Set([text, rows])) screen?.draw([], [])
    },
  }
}

/** The first row that can still change or get rows below it: no row below a running call is settled. */
function firstUnsettled(rows: Timeline['rows']): number {
  const open = rows.findIndex(isOpen)
  return open === -1 ? rows.length : open
}

/** Piped text is not wrapped, because its reader has a width of its own. */
function widthOf({ isLive, output }: Screen): number {
  return isLive ? styleOf(output, {}).width : Infinity
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
