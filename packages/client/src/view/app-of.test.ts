import { describe, expect, it } from 'vitest'
import type { TurnEventBody } from '@capstan/protocol'
import { appOf } from './app-of.ts'
import { foldEvents } from './fold-events.ts'
import { asks, calls, connects, iteration, Recording, runId, starts } from '../testing/recorded-events.ts'
import type { Call } from './thread-view.ts'
import { EMPTY_THREAD } from './thread-view.ts'

const NOTES = { toolkit: 'notes', name: 'My Notes' }

/** The app of the last call of a run. */
function find(recording: Recording, run = 'a') {
  const turn = foldEvents(EMPTY_THREAD, recording.events).turns[0]!
  const items = turn.runs.get(runId(run))!.iterations.flatMap((one) => one.items)
  return appOf(
    items.findLast((item): item is Call => item.type === 'call')!,
    turn,
  )
}

const turn = (...bodies: readonly TurnEventBody[]): Recording =>
  new Recording().add('a', starts('Hi'), iteration(1), ...bodies)

describe('the app of a call', () => {
  it('is the one the harness reports, at the start of the call or with its approval', () => {
    const start = calls(1, '1', 'create_page', { toolkit: 'other' })
    expect(find(turn({ ...start, app: NOTES } as TurnEventBody))).toEqual(NOTES)
    const ask = asks(1, 'approval_1', '1', 'create_page')
    expect(find(turn(calls(1, '1', 'create_page'), { ...ask, app: NOTES } as TurnEventBody))).toEqual(NOTES)
  })

  it('is the one the call asks to connect, or the one in its arguments', () => {
    expect(find(turn(calls(1, '1', 'connect_app'), connects('1', 'connection_1')))).toMatchObject({
      toolkit: 'notes',
      name: 'Notes',
    })
    expect(find(turn(calls(1, '1', 'delegate', { toolkit: 'google_drive' })))).toEqual({
      toolkit: 'google_drive',
      name: 'Google drive',
    })
  })

  it('is the app of the call a sub-agent works for', () => {
    const recording = turn(calls(1, '1', 'delegate', { toolkit: 'notes' }))
    recording.add('b', starts('Do it', ['a', '1']), iteration(1), calls(1, '2', 'create_page'))
    expect(find(recording, 'b')).toMatchObject({ toolkit: 'notes' })
  })

  it('is absent for a call on this computer', () => {
    expect(find(turn(calls(1, '1', 'read_file', { path: 'a' })))).toBeUndefined()
  })
})
