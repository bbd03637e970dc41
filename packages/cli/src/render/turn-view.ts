import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import { drawRows, drawSummary, drawWaiting } from './draw-timeline.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { StreamedText } from '../terminal/streamed-text.ts'
import type { Environment } from '../terminal/style.ts'
import { styleOf } from '../terminal/style.ts'
import type { Timeline } from './timeline.ts'
import { applyEvent, EMPTY_TIMELINE, isOpen, isTop } from './timeline.ts'

/** Shows one turn while it runs: what is said, then what is done, in the order it happens. */
export interface TurnView {
  /** Whether the turn it shows has ended. */
  readonly isOver: boolean
  readonly onEvent: (event: TurnEvent) => void
  /** Draws again what may have changed without an event, such as a footer. */
  refresh(): void
  /** Adds lines between what the turn shows. */
  addLines(lines: readonly string[]): void
  /** Lets go of the screen. Whatever was not settled is left out. */
  close(): void
}

export interface TurnViewOptions {
  readonly env: Environment
  /** Where the words of the turn go as they come; absent: nowhere. */
  readonly text?: Screen
  /** Where the timeline goes; absent: nowhere. May be the same screen. */
  readonly rows?: Screen
  /** Kept below everything on a live screen. */
  readonly footer?: () => readonly string[]
  readonly now?: () => number
}

const TICK_MS = 100

export function createTurnView(options: TurnViewOptions): TurnView {
  const { text, rows, env, now = Date.now } = options
  const words = new StreamedText()
  let timeline = EMPTY_TIMELINE
  let printed = 0
  let streamed = ''
  const lastOn = new Map<Screen, Block>()
  const timer = rows?.isLive ? setInterval(refresh, TICK_MS).unref() : undefined

  function onEvent(event: TurnEvent): void {
    timeline = applyEvent(timeline, event)
    if (isTop(timeline, event)) followTop(event)
    printSettled()
    if (event.type === 'turn-end' && timeline.outcome) {
      printFinalText(timeline.outcome)
      if (rows) print(rows, 'summary', drawSummary(timeline, styleOf(rows.output, env)))
    }
    refresh()
  }

  function followTop(event: TurnEvent): void {
    if (event.type === 'text-delta') {
      streamed += event.delta
      if (text) print(text, 'text', words.push(event.delta, widthOf(text)))
    } else if (event.type === 'iteration-start') streamed = ''
    else if (event.type === 'tool-start' || event.type === 'message-deliver' || event.type === 'turn-end') {
      endText()
    }
  }

  function endText(): void {
    if (!text) return
    print(text, 'text', words.end(widthOf(text)))
    // What is said after a call is another paragraph, even where no timeline stands between them.
    if (lastOn.get(text) === 'text') lastOn.set(text, 'break')
  }

  /** A row is printed for good when it and every row above it will not change any more. */
  function printSettled(): void {
    const next = firstUnsettled(timeline.rows)
    if (next <= printed) return
    if (rows)
      print(rows, 'rows', drawRows(timeline.rows.slice(printed, next), styleOf(rows.output, env), now()))
    printed = next
  }

  // Some endings speak for themselves instead of streaming. A failure's words are in the summary.
  function printFinalText({ type, text: ending }: TurnOutcome): void {
    if (!text || type === 'failed' || type === 'aborted') return
    if (type === 'done' ? streamed.trim() !== '' : squeeze(streamed).endsWith(squeeze(ending))) return
    const lines = [...words.push(ending, widthOf(text)), ...words.end(widthOf(text))]
    print(text, 'text', lines)
  }

  function refresh(): void {
    if (rows?.isLive && rows === text) rows.draw([], [...liveText(rows), ...liveRows(rows), ...liveFooter()])
    else {
      if (text?.isLive) text.draw([], liveText(text))
      if (rows?.isLive) rows.draw([], [...liveRows(rows), ...liveFooter()])
    }
  }

  function liveText(screen: Screen): readonly string[] {
    return spaced(screen, 'text', words.open(widthOf(screen)))
  }

  function liveRows(screen: Screen): readonly string[] {
    const style = styleOf(screen.output, env)
    const lines = drawRows(timeline.rows.slice(printed), style, now())
    return spaced(screen, 'rows', timeline.waiting ? [...lines, drawWaiting(style, now())] : lines)
  }

  function liveFooter(): readonly string[] {
    const lines = options.footer?.() ?? []
    return lines.length > 0 ? ['', ...lines] : []
  }

  function print(screen: Screen, block: Block, lines: readonly string[]): void {
    if (lines.length === 0) return
    screen.draw(spaced(screen, block, lines))
    lastOn.set(screen, block)
  }

  /** A blank line stands between blocks of different kinds. */
  function spaced(screen: Screen, block: Block, lines: readonly string[]): readonly string[] {
    const last = lastOn.get(screen)
    return lines.length > 0 && last !== undefined && last !== block ? ['', ...lines] : lines
  }

  return {
    get isOver() {
      return timeline.outcome !== undefined
    },
    onEvent,
    refresh,
    addLines(lines) {
      const screen = rows ?? text
      if (screen) print(screen, 'aside', lines)
      refresh()
    },
    close() {
      clearInterval(timer)
      for (const screen of new Set([text, rows])) screen?.draw([], [])
    },
  }
}

type Block = 'text' | 'rows' | 'aside' | 'summary' | 'break'

/** The first row that may still change or get rows below it: a running call keeps everything under it. */
function firstUnsettled(rows: Timeline['rows']): number {
  const open = rows.findIndex(isOpen)
  return open === -1 ? rows.length : open
}

/** Piped text is not wrapped: whoever reads it has a width of their own. */
function widthOf({ isLive, output }: Screen): number {
  return isLive ? styleOf(output, {}).width : Infinity
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
