import { describe, expect, it } from 'vitest'
import { foldEvents } from './fold-events.ts'
import {
  asks,
  calls,
  ends,
  gets,
  iteration,
  Recording,
  recordSampleThread,
  says,
  starts,
  thinks,
  writes,
} from '../testing/recorded-events.ts'
import type { Turn } from './thread-view.ts'
import { EMPTY_THREAD } from './thread-view.ts'
import { answerOf, asksOf, currentStepOf, openAsksOf, statusOf, workedMs } from './turn-view.ts'

const turnOf = (recording: Recording): Turn => foldEvents(EMPTY_THREAD, recording.events).turns[0]!
const begun = () => new Recording().add('a', starts('Hi'), iteration(1))

describe('the answer', () => {
  it('is the streamed text until calls follow it', () => {
    const recording = begun().add('a', says(1, 'I look.'))
    expect(answerOf(turnOf(recording))).toEqual({ text: 'I look.', isFinal: true })
    recording.add('a', calls(1, '1', 'look'), gets(1, '1', 'look', 'x'), iteration(2))
    expect(answerOf(turnOf(recording))).toEqual({ text: 'I look.', isFinal: false })
    recording.add('a', says(2, 'Found.'))
    expect(answerOf(turnOf(recording))).toEqual({ text: 'Found.', isFinal: true })
  })

  it('is the text of the outcome', () => {
    const recording = begun().add('a', says(1, 'Almo'), ends('Almost.', { type: 'capped' }))
    expect(answerOf(turnOf(recording)).text).toBe('Almost.')
  })

  it('of a failed or stopped turn is the text shown before', () => {
    for (const type of ['failed', 'aborted'] as const)
      expect(answerOf(turnOf(begun().add('a', says(1, 'Half'), ends('Stopped.', { type })))).text).toBe(
        'Half',
      )
  })

  it('of a reply that broke off continues where it stopped', () => {
    const recording = begun().add('a', says(1, 'One, '), iteration(2), says(2, 'two'))
    expect(answerOf(turnOf(recording)).text).toBe('One, two')
  })
})

describe('the current step', () => {
  it('follows the events', () => {
    const recording = begun()
    expect(currentStepOf(turnOf(recording)).type).toBe('thinking')
    recording.add('a', thinks(1, 'Hm'))
    expect(currentStepOf(turnOf(recording)).type).toBe('thinking')
    recording.add('a', says(1, 'So'))
    expect(currentStepOf(turnOf(recording)).type).toBe('writing')
    recording.add('a', writes(1, '1', 'look', '{'))
    expect(currentStepOf(turnOf(recording))).toEqual({ type: 'preparing', tool: 'look' })
    recording.add('a', calls(1, '1', 'look', {}, 'Look', 'at it'))
    expect(currentStepOf(turnOf(recording))).toEqual({ type: 'call', label: 'Look', detail: 'at it' })
    recording.add('b', starts('do', ['a', '1']), iteration(1), calls(1, '1', 'dig', {}, 'Dig'))
    expect(currentStepOf(turnOf(recording))).toEqual({ type: 'call', label: 'Dig' })
    recording.add('b', asks(1, 'ap', '1', 'dig'))
    expect(currentStepOf(turnOf(recording)).type).toBe('waiting')
    expect(statusOf(turnOf(recording))).toBe('waiting')
  })
})

describe('a whole turn', () => {
  const turn = foldEvents(EMPTY_THREAD, recordSampleThread()).turns[0]!

  it('worked as long as it did not wait for the person', () => {
    const { endedAt = 0 } = turn.runs.get(turn.runId)!
    expect(statusOf(turn)).toBe('ended')
    expect(endedAt - turn.startedAt).toBeGreaterThan(13_000)
    expect(workedMs(turn, endedAt)).toBeLessThan(5000)
  })

  it('stands still while the person is waited for', () => {
    const waiting = turnOf(begun().add('a', calls(1, '1', 'dig'), asks(1, 'ap', '1', 'dig')))
    expect(workedMs(waiting, waiting.startedAt + 60_000)).toBe(300)
  })

  it('lists what it asked the person, and that nothing is open', () => {
    expect(asksOf(turn).map((call) => call.tool)).toEqual(['connect_app', 'notes_delete'])
    expect(openAsksOf(turn)).toEqual([])
  })
})
