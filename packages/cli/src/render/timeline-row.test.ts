import { EMPTY_THREAD, foldEvents } from '@capstan/client/view'
import type { CallId, TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import {
  DONE,
  EXPIRED,
  SAMPLE_TURN,
  ending,
  eventOf,
  toolEnd,
  toolStart,
  turnEnd,
  turnStart,
} from '../testing/sample-events.ts'
import type { TurnSummary } from './timeline-row.ts'
import { toTurnSummary } from './timeline-row.ts'

const fold = (events: readonly TurnEvent[]): TurnSummary =>
  toTurnSummary(foldEvents(EMPTY_THREAD, events).turns[0]!)

const sketch = ({ rows }: TurnSummary): readonly string[] =>
  rows.map((row) => {
    const text = row.type === 'call' ? `${row.label} ${row.status}` : row.text
    return `${'. '.repeat(row.depth)}${text}`
  })

describe('the timeline of a turn', () => {
  it('shows a call as running until it has ended', () => {
    const start = [turnStart('top', 1), toolStart('top', 2, 'a', 'Search notes', 'ferry')]
    expect(fold(start).rows).toMatchObject([
      { label: 'Search notes', detail: 'ferry', status: 'running', startedAt: 2 },
    ])
    expect(fold([...start, toolEnd('top', 9, 'a', 7)]).rows).toMatchObject([{ status: 'ok', durationMs: 7 }])
  })

  it('shows a call that starts again after a wait as the same call', () => {
    const events = [
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Save note'),
      eventOf('top', 3, {
        type: 'turn-park',
        waitsFor: [{ kind: 'approval', id: 'approval' }],
      }),
      eventOf('top', 3, { type: 'turn-resume', iteration: 1 }),
      toolStart('top', 4, 'a', 'Save note'),
    ]
    expect(sketch(fold(events))).toEqual(['Save note running'])
    expect(sketch(fold([...events, toolEnd('top', 9, 'a', 5)]))).toEqual(['Save note ok'])
  })

  it('keeps why a call failed', () => {
    const { rows } = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Read calendar'),
      toolEnd('top', 3, 'a', 1, EXPIRED),
    ])
    expect(rows).toMatchObject([{ status: 'failed', failure: EXPIRED }])
  })

  it('shows a stopped call as stopped, not as failed', () => {
    const stopped = { ...EXPIRED, class: 'cancelled', category: 'stopped' } as const
    const { rows } = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Wait'),
      toolEnd('top', 3, 'a', 1, stopped),
    ])
    expect(rows).toMatchObject([{ status: 'stopped' }])
  })

  it('nests a sub-agent below the call that started it, even when ids repeat', () => {
    expect(sketch(fold(SAMPLE_TURN))).toEqual([
      'Search notes ok',
      'Read calendar failed',
      'Ask notes helper ok',
      '. Read note ok',
    ])
  })

  it('keeps the rows of two concurrent sub-agents apart', () => {
    const timeline = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'x', 'Ask one'),
      toolStart('top', 2, 'y', 'Ask two'),
      turnStart('one', 3, { run: 'top', call: 'x' }),
      turnStart('two', 3, { run: 'top', call: 'y' }),
      toolStart('two', 4, 'a', 'Second'),
      toolStart('one', 5, 'a', 'First'),
      toolStart('one', 6, 'b', 'Ask three'),
      turnStart('three', 7, { run: 'one', call: 'b' }),
      toolStart('three', 8, 'a', 'Deep'),
      toolStart('one', 9, 'c', 'Last of one'),
    ])
    expect(sketch(timeline)).toEqual([
      'Ask one running',
      '. First running',
      '. Ask three running',
      '. . Deep running',
      '. Last of one running',
      'Ask two running',
      '. Second running',
    ])
  })

  it('adds no rows below a call that has ended', () => {
    const timeline = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'x', 'Ask one'),
      turnStart('one', 3, { run: 'top', call: 'x' }),
      toolEnd('top', 4, 'x', 2),
      toolStart('one', 5, 'a', 'Too late'),
    ])
    expect(sketch(timeline)).toEqual(['Ask one ok'])
  })

  it('shows a call that waits for approval until it is answered', () => {
    const asking = [
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Delete page'),
      toolStart('top', 2, 'b', 'Read page'),
      eventOf('top', 3, {
        type: 'approval-request',
        iteration: 1,
        approvalId: 'approval',
        callId: 'a' as CallId,
        tool: 'a',
        label: 'Delete page',
        arguments: {},
        digest: 'd',
        expiresAt: 9,
      }),
    ]
    expect(sketch(fold(asking))).toEqual(['Delete page asking', 'Read page running'])
    const answer = eventOf('top', 4, {
      type: 'approval-answer',
      iteration: 1,
      approvalId: 'approval',
      decision: 'deny',
    })
    expect(sketch(fold([...asking, answer]))).toEqual(['Delete page running', 'Read page running'])
  })

  it('shows a call that waits for a sign-in', () => {
    const timeline = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Connect an app'),
      eventOf('top', 3, {
        type: 'connection-request',
        iteration: 1,
        callId: 'a' as CallId,
        connectionId: 'connection',
        toolkit: 'notes',
        name: 'Notes',
      }),
    ])
    expect(sketch(timeline)).toEqual(['Connect an app connecting'])
  })

  it('adds a note when the turn resumed after a crash', () => {
    const timeline = fold([turnStart('top', 1), eventOf('top', 2, { type: 'turn-resume', iteration: 1 })])
    expect(sketch(timeline)).toEqual(['It was interrupted here and resumed.'])
  })

  it('adds a note for what the harness did besides calls', () => {
    const timeline = fold([
      turnStart('top', 1),
      eventOf('top', 2, { type: 'notice-add', iteration: 1, text: 'Notes is now connected.' }),
      eventOf('top', 3, { type: 'message-deliver', iteration: 1, text: 'be quick' }),
      eventOf('top', 3, { type: 'guard-nudge', iteration: 1, guard: 'g', text: 'Same again.' }),
      eventOf('top', 4, {
        type: 'model-retry',
        iteration: 1,
        model: 'm',
        attempt: 1,
        delayMs: 5,
        failure: { ...EXPIRED, cause: 'The model is busy.' },
      }),
    ])
    expect(sketch(timeline)).toEqual([
      'Notes is now connected.',
      'You added: be quick',
      'Reminded the model: Same again.',
      'The model is busy. Asking the model again.',
    ])
  })

  it('ends with the outcome of the turn, not of its sub-agents', () => {
    expect(fold(SAMPLE_TURN.slice(0, -1)).outcome).toBeUndefined()
    expect(fold(SAMPLE_TURN)).toMatchObject({ outcome: DONE, workedMs: 2000, waitedMs: 0 })
  })

  it('shows no call as running after the end of the turn', () => {
    const timeline = fold([
      turnStart('top', 1),
      toolStart('top', 2, 'a', 'Stuck'),
      turnEnd('top', 3, ending({ type: 'aborted', text: 'Stopped.' })),
    ])
    expect(sketch(timeline)).toEqual(['Stuck stopped'])
  })
})
