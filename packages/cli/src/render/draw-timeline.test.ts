import { EMPTY_THREAD, foldEvents } from '@capstan/client/view'
import type { CallId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  EXPIRED,
  SAMPLE_TURN,
  ending,
  eventOf,
  iterationStart,
  toolEnd,
  toolStart,
  turnEnd,
  turnStart,
} from '../testing/sample-events.ts'
import { displayWidth } from '../terminal/display-width.ts'
import { drawRows, drawSummary, drawWaiting } from './draw-timeline.ts'
import type { Style } from '../terminal/style.ts'
import type { TurnSummary } from './timeline-row.ts'
import { toTurnSummary } from './timeline-row.ts'

const PLAIN: Style = { width: 50, colour: false, unicode: true }
const fold = (events: readonly TurnEvent[]): TurnSummary =>
  toTurnSummary(foldEvents(EMPTY_THREAD, events).turns[0]!)
const timeline = fold(SAMPLE_TURN)
const rowsAfter = (events: number) => fold(SAMPLE_TURN.slice(0, events)).rows

describe('drawRows', () => {
  it('draws a call, a failed call with its cause, and a sub-agent below its call', () => {
    expect([...drawRows(timeline.rows, PLAIN, 9000), ...drawSummary(timeline, PLAIN)]).toEqual([
      '  ✓ Search notes  ferry                      12 ms',
      '  ✗ Read calendar  tonight                  500 ms',
      '    Why: The sign-in has expired.',
      '    What to do next: Reconnect the account.',
      '  ✓ Ask notes helper  What to pack           1.3 s',
      '  │ ✓ Read note  Packing                      3 ms',
      '  ✓ Done · 2 steps · 4 calls (1 failed)',
      '    1,200 tokens in, 80 out · about $0.0042',
      '    2.0 s',
    ])
  })

  it('draws only ASCII where Unicode cannot be shown', () => {
    const ascii: Style = { ...PLAIN, unicode: false }
    const lines = [...drawRows(timeline.rows, ascii, 9000), ...drawSummary(timeline, ascii)]
    expect(lines.slice(4)).toEqual([
      '  + Ask notes helper  What to pack           1.3 s',
      '  | + Read note  Packing                      3 ms',
      '  + Done, 2 steps, 4 calls (1 failed)',
      '    1,200 tokens in, 80 out, about $0.0042, 2.0 s',
    ])
    expect(lines.join('')).toMatch(/^[\u0020-\u007e]*$/)
  })

  it('animates a running call and counts whole seconds', () => {
    const running = rowsAfter(4)
    expect(drawRows(running, PLAIN, 1010)).toEqual(['  ⠋ Search notes  ferry'])
    expect(drawRows(running, PLAIN, 3910)).toEqual(['  ⠏ Search notes  ferry                        2 s'])
    expect(drawWaiting(PLAIN, 1000)).toBe('  ⠋ Thinking')
  })

  it.each([20, 34, 60, 88])('draws lines of at most %i columns', (width) => {
    const wide = fold([
      ...SAMPLE_TURN,
      toolStart('top', 2, 'a', 'Search the web for 日本語 texts', 'a very long question '.repeat(9)),
      toolEnd('top', 3, 'a', 61_000, EXPIRED),
    ])
    const cut = { ...wide, outcome: ending({ type: 'done', cut: 'length' }) }
    for (const unicode of [true, false]) {
      const style = { ...PLAIN, unicode, width }
      const lines = [
        ...drawRows(wide.rows, style, 0),
        ...drawSummary(wide, style),
        ...drawSummary(cut, style),
      ]
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width)
    }
  })

  it('cuts a long detail and keeps the time', () => {
    const { rows } = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Search the web', 'the opening hours of every library in Bergen'),
      toolEnd('top', 3, 'a', 61_000),
    ])
    expect(drawRows(rows, PLAIN, 0)).toEqual(['  ✓ Search the web  the opening hours…   1 min 1 s'])
  })

  it('removes control characters from labels and failures', () => {
    const { rows } = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Read\u001b[2J', 'x\r\u202ey\nz'),
      toolEnd('top', 3, 'a', 1, { ...EXPIRED, cause: 'No\u001b]0;title\u0007 way.', next: 'Stop\u009b2J.' }),
    ])
    expect(drawRows(rows, PLAIN, 0)).toEqual([
      '  ✗ Read  xy z                                1 ms',
      '    Why: No way.',
      '    What to do next: Stop.',
    ])
  })

  it('adds colours and changes nothing else', () => {
    const coloured = drawRows(timeline.rows, { ...PLAIN, colour: true }, 9000)
    expect(coloured.join('')).toContain('\u001b[32m✓')
    expect(coloured.map(stripVTControlCharacters)).toEqual(drawRows(timeline.rows, PLAIN, 9000))
  })
})

describe('drawSummary', () => {
  const summary = (outcome: TurnOutcome, more: Partial<TurnSummary> = {}) =>
    drawSummary({ rows: [], ...more, outcome }, PLAIN)
  const free = { usage: NO_USAGE, iterations: 1 }

  it.each([
    [ending({ ...free, type: 'done' }), '  ✓ Done · 1 step'],
    [ending({ ...free, type: 'done', cut: 'length' }), "  ✓ Done, cut at the model's limit · 1 step"],
    [ending({ ...free, type: 'halted', guard: 'same-call' }), '  ■ Halted by same-call · 1 step'],
    [ending({ ...free, type: 'capped' }), '  ■ Paused at its limit · 1 step'],
    [ending({ ...free, type: 'needs-input' }), '  ? Waiting for your answer · 1 step'],
    [ending({ ...free, type: 'aborted' }), '  ■ Stopped · 1 step'],
  ])('draws how the turn ended', (outcome, line) => {
    expect(summary(outcome)).toEqual([line])
  })

  it('draws why a turn failed and what to do next', () => {
    expect(summary(ending({ ...free, type: 'failed', failure: EXPIRED }))).toEqual([
      '  ✗ Failed · 1 step',
      '    Why: The sign-in has expired.',
      '    What to do next: Reconnect the account.',
    ])
  })

  it.each([
    [{ inputTokens: 1 }, 'no cost'],
    [{ inputTokens: 1, chargedUsd: 1.5 }, '$1.50'],
    [{ inputTokens: 1, chargedUsd: 0.01, estimatedUsd: 0.01 }, 'about $0.0200'],
    [{ inputTokens: 1, estimatedUsd: 0.00001 }, 'under $0.0001'],
  ])('draws the cost of %o as %s', (usage, cost) => {
    const outcome = ending({ type: 'done', iterations: 1, usage: { ...NO_USAGE, ...usage } })
    const wide = { ...PLAIN, width: 88 }
    expect(drawSummary({ rows: [], outcome }, wide)).toEqual([
      `  ✓ Done · 1 step · 1 token in, 0 out · ${cost}`,
    ])
  })

  const asking = [
    turnStart('top', 0),
    iterationStart('top', 0),
    toolStart('top', 1_000, 'a', 'Send letter'),
    eventOf('top', 2_000, {
      type: 'approval-request',
      iteration: 1,
      digest: 'd',
      approvalId: 'approval_1',
      callId: 'a' as CallId,
      tool: 'a',
      label: 'Send letter',
      arguments: {},
      effect: 'write',
      expiresAt: 1e9,
    }),
  ]

  it('shows the time in which a person was waited for apart from the work', () => {
    const approved = fold([
      ...asking,
      eventOf('top', 182_000, {
        type: 'approval-answer',
        iteration: 1,
        approvalId: 'approval_1',
        decision: 'allow-once',
      }),
      toolEnd('top', 190_000, 'a', 189_000),
      turnEnd('top', 192_000, ending({ ...free, type: 'done' })),
    ])
    expect(drawSummary(approved, PLAIN)).toEqual([
      '  ✓ Done · 1 step · 1 call · 12.0 s',
      '    waited 3 min 0 s for you',
    ])
  })

  it('counts no work after the question when the turn was stopped instead of answered', () => {
    const stopped = fold([...asking, turnEnd('top', 62_000, ending({ ...free, type: 'aborted' }))])
    const wide = { ...PLAIN, width: 88 }
    expect(drawSummary(stopped, wide)[0]).toMatch(/ · 2\.0 s · waited 1 min 0 s for you$/)
  })

  it('draws nothing while the turn runs', () => {
    expect(drawSummary({ rows: [] }, PLAIN)).toEqual([])
  })
})
