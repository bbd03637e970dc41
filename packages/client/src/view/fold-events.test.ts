import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '@capstan/protocol'
import { foldEvents } from './fold-events.ts'
import {
  asks,
  callId,
  calls,
  connects,
  ends,
  fails,
  gets,
  iteration,
  paid,
  Recording,
  recordSampleThread,
  runId,
  says,
  starts,
  thinks,
  usage,
  writes,
} from '../testing/recorded-events.ts'
import type { Call, Item, ThreadView, Turn } from './thread-view.ts'
import { EMPTY_THREAD, rootOf } from './thread-view.ts'
import { currentStepOf, statusOf } from './turn-view.ts'

const fold = (recording: { readonly events: readonly TurnEvent[] }): ThreadView =>
  foldEvents(EMPTY_THREAD, recording.events)
const turnOf = (state: ThreadView, index = 0): Turn => state.turns[index]!
const itemsOf = (turn: Turn, number = 1): readonly Item[] =>
  rootOf(turn).iterations.find((one) => one.number === number)?.items ?? []
const callOf = (turn: Turn, id: string, run = turn.runId): Call => {
  const items = turn.runs.get(run)!.iterations.flatMap((one) => one.items)
  return items.find((item) => item.type === 'call' && item.callId === callId(id)) as Call
}

/** Where a list of events is cut. */
const cuts = (length: number) =>
  fc.array(fc.integer({ min: 0, max: length }), { maxLength: 12 }).map((at) => at.toSorted((a, b) => a - b))

const split = <T>(list: readonly T[], at: readonly number[]): T[][] =>
  [...at, list.length].map((end, index) => list.slice(at[index - 1] ?? 0, end))

describe('a thread folded from its events', () => {
  const sample = recordSampleThread()
  const whole = foldEvents(EMPTY_THREAD, sample)

  it('is the same however they are cut into batches', () => {
    fc.assert(
      fc.property(cuts(sample.length), (at) => {
        const state = split(sample, at).reduce(foldEvents, EMPTY_THREAD)
        expect(state).toEqual(whole)
      }),
    )
  })

  it('is the same when batches repeat earlier events', () => {
    fc.assert(
      fc.property(cuts(sample.length), fc.nat(20), (at, again) => {
        let state = EMPTY_THREAD
        let done = 0
        for (const batch of split(sample, at)) {
          state = foldEvents(state, [...sample.slice(Math.max(0, done - again), done), ...batch])
          done += batch.length
        }
        expect(state).toEqual(whole)
      }),
    )
  })

  it('never changes a view that was returned before', () => {
    fc.assert(
      fc.property(cuts(sample.length), (at) => {
        const states: { state: ThreadView; written: string }[] = []
        let state = EMPTY_THREAD
        for (const batch of split(sample, at)) {
          state = foldEvents(state, batch)
          states.push({ state, written: write(state) })
        }
        for (const one of states) expect(write(one.state)).toBe(one.written)
      }),
    )
  })
})

/** Maps included. */
const write = (state: ThreadView): string =>
  JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value))

describe('foldEvents', () => {
  it('returns the same view when no event is new', () => {
    const state = fold({ events: recordSampleThread() })
    expect(foldEvents(state, recordSampleThread())).toBe(state)
  })

  it('skips events of an unknown kind, and of runs that never started', () => {
    const recording = new Recording().add('a', starts('Hello'))
    const known = fold(recording)
    recording.add('a', { type: 'weather-change' } as never).add('z', says(1, 'who?'))
    const state = fold(recording)
    expect(state.turns).toEqual(known.turns)
    expect(state.lastSeq).toBe(3)
  })

  it('keeps every turn but the last, and every part that did not change', () => {
    const before = fold({ events: recordSampleThread() })
    const recording = { events: [...recordSampleThread()] }
    const after = foldEvents(before, [{ ...recording.events.at(-1)!, seq: before.lastSeq + 1 }])
    expect(after.turns[0]).toBe(before.turns[0])
    expect(after.turns[1]).not.toBe(before.turns[1])
  })
})

describe('streamed text', () => {
  it('grows delta by delta, thoughts apart from text', () => {
    const state = fold(
      new Recording().add(
        'a',
        starts('Hi'),
        iteration(1),
        thinks(1, 'a'),
        thinks(1, 'b'),
        says(1, 'c'),
        says(1, 'd'),
      ),
    )
    expect(itemsOf(turnOf(state))).toMatchObject([
      { type: 'thinking', text: 'ab' },
      { type: 'text', text: 'cd' },
    ])
  })

  it('is void after a failed attempt, and so are calls that were being written', () => {
    const state = foldEvents(EMPTY_THREAD, recordSampleThread())
    expect(itemsOf(turnOf(state), 2).map((item) => item.type)).toEqual(['notice', 'retry', 'call'])
  })

  it('of a reply that broke off is continued by the next', () => {
    const state = fold(
      new Recording().add('a', starts('Hi'), iteration(1), says(1, 'One, '), iteration(2), says(2, 'two.')),
    )
    expect(rootOf(turnOf(state)).carried).toBe('One, ')
  })

  it('before calls is not continued', () => {
    const state = fold(
      new Recording().add(
        'a',
        starts('Hi'),
        iteration(1),
        says(1, 'I look.'),
        calls(1, '1', 'look'),
        iteration(2),
      ),
    )
    expect(rootOf(turnOf(state)).carried).toBe('')
  })
})

describe('a call', () => {
  it('is written, started and ended in one row', () => {
    const recording = new Recording().add('a', starts('Hi'), iteration(1), writes(1, '1', 'look', '{"at":'))
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({ status: 'writing', argumentsText: '{"at":' })
    recording.add('a', calls(1, '1', 'look', { at: 'it' }, 'Look', 'at it'))
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({ status: 'running', argumentsText: '' })
    recording.add('a', gets(1, '1', 'look', 'Seen.'))
    expect(itemsOf(turnOf(fold(recording)))).toHaveLength(1)
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({
      status: 'ok',
      label: 'Look',
      detail: 'at it',
      arguments: { at: 'it' },
      output: 'Seen.',
      durationMs: 420,
    })
  })

  it('is removed when it was only half written at the next iteration', () => {
    const state = fold(
      new Recording().add('a', starts('Hi'), iteration(1), writes(1, '1', 'look', '{'), iteration(2)),
    )
    expect(itemsOf(turnOf(state))).toEqual([])
  })

  it('keeps its failure, and is not a failure when it was stopped', () => {
    const failure = { cause: 'No.', next: 'Nothing.', recoverable: false } as const
    const state = fold(
      new Recording().add(
        'a',
        starts('Hi'),
        iteration(1),
        calls(1, '1', 'x'),
        calls(1, '2', 'x'),
        fails(1, '1', 'x', { class: 'not_found', category: 'fixable', ...failure }),
        fails(1, '2', 'x', { class: 'cancelled', category: 'stopped', ...failure }),
      ),
    )
    expect(callOf(turnOf(state), '1')).toMatchObject({ status: 'failed', failure: { class: 'not_found' } })
    expect(callOf(turnOf(state), '2').status).toBe('stopped')
  })

  it('is stopped when its turn ends, also in sub-agents', () => {
    const state = fold(
      new Recording()
        .add('a', starts('Hi'), iteration(1), calls(1, '1', 'delegate'))
        .add('b', starts('do', ['a', '1']), iteration(1), calls(1, '1', 'x'), asks(1, 'approval_1', '1', 'x'))
        .add('a', ends('Stopped.', { type: 'aborted' })),
    )
    const turn = turnOf(state)
    expect(callOf(turn, '1').status).toBe('stopped')
    expect(callOf(turn, '1', runId('b')).status).toBe('stopped')
    expect(turn.openAsks).toBe(0)
  })
})

describe('a sub-agent', () => {
  const turn = turnOf(foldEvents(EMPTY_THREAD, recordSampleThread()))

  it('is below the call it works for, with its own calls under the same ids', () => {
    expect(callOf(turn, '2').children).toEqual([runId('b')])
    expect(callOf(turn, '2', runId('b'))).toMatchObject({ tool: 'notes_delete', status: 'ok' })
  })

  it('has an outcome of its own', () => {
    expect(turn.runs.get(runId('b'))?.outcome).toMatchObject({ type: 'done', text: 'Saved.' })
  })
})

describe('a wait', () => {
  it('for an approval is counted until the answer', () => {
    const recording = new Recording().add(
      'a',
      starts('Hi'),
      iteration(1),
      calls(1, '1', 'x'),
      asks(1, 'ap', '1', 'x'),
    )
    expect(turnOf(fold(recording)).openAsks).toBe(1)
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({ status: 'asking', approval: { id: 'ap' } })
    recording.add('a', { type: 'approval-answer', iteration: 1, approvalId: 'ap', decision: 'deny' })
    expect(turnOf(fold(recording)).openAsks).toBe(0)
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({
      status: 'running',
      approval: { decision: 'deny' },
    })
  })

  it('for an app continues in the same row when the call starts again', () => {
    const recording = new Recording()
      .add('a', starts('Hi'), iteration(1), calls(1, '1', 'connect_app'), connects('1', 'connection_1'))
      .add('a', { type: 'turn-resume', iteration: 1 }, calls(1, '1', 'connect_app'))
    expect(callOf(turnOf(fold(recording)), '1')).toMatchObject({
      status: 'connecting',
      connection: { name: 'Notes' },
    })
    recording.add('a', gets(1, '1', 'connect_app', 'Notes is connected.'))
    expect(turnOf(fold(recording)).openAsks).toBe(0)
    expect(callOf(turnOf(fold(recording)), '1').status).toBe('ok')
  })

  it('adds no note when it outlives a restart, or is one of several', () => {
    const resumed = { type: 'turn-resume', iteration: 1 } as const
    const recording = new Recording()
      .add('a', starts('Hi'), iteration(1), calls(1, '1', 'x'), asks(1, 'ap', '1', 'x'))
      .add('a', resumed, resumed)
      .add('a', { type: 'approval-answer', iteration: 1, approvalId: 'ap', decision: 'deny' })
    expect(itemsOf(turnOf(fold(recording))).map(({ type }) => type)).toEqual(['call'])
  })

  it('adds no note when it is over, but a crash does', () => {
    const waited = turnOf(foldEvents(EMPTY_THREAD, recordSampleThread()))
    expect(
      rootOf(waited)
        .iterations.flatMap((one) => one.items)
        .map((item) => item.type),
    ).not.toContain('resume')
    const crashed = fold(
      new Recording().add('a', starts('Hi'), iteration(1), { type: 'turn-resume', iteration: 1 }),
    )
    expect(itemsOf(turnOf(crashed))).toMatchObject([{ type: 'resume' }])
  })
})

describe('a parked turn', () => {
  const approval = { kind: 'approval', id: 'ap' } as const
  const parked = () =>
    new Recording()
      .add('a', starts('Hi'), iteration(1), calls(1, '1', 'x'), asks(1, 'ap', '1', 'x'))
      .add('a', { type: 'turn-park', waitsFor: [approval] })

  it('waits from the park to the resume, and its end clears the wait', () => {
    const recording = parked()
    expect(turnOf(fold(recording)).waitsFor).toEqual([approval])
    expect(statusOf(turnOf(fold(recording)))).toBe('waiting')
    recording.add('a', { type: 'turn-resume', iteration: 1 })
    expect(turnOf(fold(recording)).waitsFor).toEqual([])
    expect(turnOf(fold(parked().add('a', ends('Stopped.', { type: 'aborted' })))).waitsFor).toEqual([])
  })

  it('waits even when no call of it asks', () => {
    const turn = turnOf(
      fold(
        new Recording().add('a', starts('Hi'), {
          type: 'turn-park',
          waitsFor: [{ kind: 'sign-in', id: 'c' }],
        }),
      ),
    )
    expect(statusOf(turn)).toBe('waiting')
    expect(currentStepOf(turn).type).toBe('waiting')
  })

  it('resumes without a note, unlike a turn that crashed', () => {
    const recording = new Recording()
      .add('a', starts('Hi'), iteration(1), { type: 'turn-park', waitsFor: [approval] })
      .add('a', { type: 'turn-resume', iteration: 1 })
    expect(itemsOf(turnOf(fold(recording)))).toEqual([])
  })

  it('waits for what its sub-agents wait for, each once', () => {
    const recording = parked()
      .add('b', starts('do', ['a', '1']), { type: 'turn-park', waitsFor: [approval] })
      .add('b', { type: 'turn-park', waitsFor: [{ kind: 'sign-in', id: 'c' }] })
    expect(turnOf(fold(recording)).waitsFor.map(({ id }) => id)).toEqual(['ap', 'c'])
  })
})

describe('usage', () => {
  it('is summed per iteration, and taken from the events for the run', () => {
    const state = fold(
      new Recording().add(
        'a',
        starts('Hi'),
        iteration(1),
        paid(1, usage(10, 1, 0.5)),
        paid(1, usage(20, 2, 0.25), usage(30, 3, 0.75)),
      ),
    )
    const root = rootOf(turnOf(state))
    expect(root.usage).toMatchObject({ inputTokens: 30, estimatedUsd: 0.75 })
    expect(root.iterations[0]).toMatchObject({ usage: { inputTokens: 30, outputTokens: 3 }, modelMs: 1600 })
  })
})

describe('a message that reached a running turn', () => {
  it('is listed with the turn and in the iteration that read it', () => {
    const turn = turnOf(foldEvents(EMPTY_THREAD, recordSampleThread()))
    expect(turn.additions).toMatchObject([{ text: 'And thank you' }])
    expect(itemsOf(turn, 3)[0]).toMatchObject({ type: 'message', text: 'And thank you' })
  })
})

describe('a long thread', () => {
  it('takes a delta without touching the turns above it', () => {
    const recording = new Recording()
    for (let turn = 0; turn < 1000; turn++)
      recording.add(
        `${turn}`,
        starts('Hi'),
        iteration(1),
        calls(1, '1', 'x'),
        gets(1, '1', 'x', 'y'),
        ends('Ho'),
      )
    recording.add('last', starts('Hi'), iteration(1))
    let state = fold(recording)
    const above = state.turns.slice(0, -1)
    for (let delta = 0; delta < 2000; delta++) {
      recording.add('last', says(1, 'word '))
      state = foldEvents(state, [recording.events.at(-1)!])
    }
    expect(state.turns.slice(0, -1).every((turn, index) => turn === above[index])).toBe(true)
    expect(itemsOf(state.turns.at(-1)!)[0]).toMatchObject({ text: 'word '.repeat(2000) })
  })
})
