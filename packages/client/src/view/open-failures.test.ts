import type { FailureClass } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Recording } from '../testing/recorded-events.ts'
import {
  calls,
  connects,
  ends,
  fails,
  gets,
  iteration,
  Recording as NewRecording,
  recordSampleThread,
  starts,
} from '../testing/recorded-events.ts'
import { foldEvents } from './fold-events.ts'
import { openFailuresOf } from './open-failures.ts'
import { EMPTY_THREAD } from './thread-view.ts'

const failing = (call: string, tool: string, kind: FailureClass, args: object = {}) =>
  [
    calls(1, call, tool, args),
    fails(1, call, tool, {
      class: kind,
      category: FAILURE_CATEGORIES[kind],
      cause: '',
      next: '',
      recoverable: false,
    }),
  ] as const

const begun = (): Recording => new NewRecording().add('a', starts('Hi'), iteration(1))
const openIn = ({ events }: Recording): readonly string[] =>
  openFailuresOf(foldEvents(EMPTY_THREAD, events).turns[0]!).map(({ callId }) => callId)

describe('the open failures of a turn', () => {
  it('do not include what the assistant corrected on the way', () => {
    expect(openFailuresOf(foldEvents(EMPTY_THREAD, recordSampleThread()).turns[0]!)).toEqual([])
    const fixed = begun().add('a', ...failing('1', 'read', 'not_found'), calls(1, '2', 'list'))
    expect(openIn(fixed)).toEqual(['call_1'])
    expect(openIn(fixed.add('a', gets(1, '2', 'list', 'x'), ends('Done.')))).toEqual([])
  })

  it('do not include a call that worked when it was tried again, but one that was not', () => {
    const again = begun().add('a', ...failing('1', 'fetch', 'timeout', { url: 'x' }))
    again.add('a', calls(1, '2', 'fetch', { url: 'y' }), gets(1, '2', 'fetch', ''))
    expect(openIn(again)).toEqual(['call_1'])
    again.add('a', calls(1, '3', 'fetch', { url: 'x' }), gets(1, '3', 'fetch', ''))
    expect(openIn(again)).toEqual([])
  })

  it('do not include an app that was connected afterwards', () => {
    const missing = begun().add('a', ...failing('1', 'delegate', 'not_connected', { toolkit: 'notes' }))
    missing.add('a', calls(1, '2', 'connect_app'), connects('2', 'connection_1'))
    expect(openIn(missing)).toEqual(['call_1'])
    expect(openIn(missing.add('a', gets(1, '2', 'connect_app', '')))).toEqual([])
  })

  it('keep a change that broke off, whatever followed', () => {
    const broken = begun().add('a', ...failing('1', 'write', 'interrupted'))
    broken.add('a', calls(1, '2', 'write'), gets(1, '2', 'write', ''))
    expect(openIn(broken)).toEqual(['call_1'])
  })

  it('are the innermost: the call of a sub-agent, not the call above it', () => {
    const [start, end] = failing('1', 'delegate', 'unknown')
    const deep = begun()
      .add('a', start)
      .add('b', starts('do', ['a', '1']), iteration(1), ...failing('9', 'dig', 'timeout'), ends('No.'))
    expect(openIn(deep.add('a', end))).toEqual(['call_9'])
  })

  it('do not include a refusal by the person', () => {
    expect(openIn(begun().add('a', ...failing('1', 'write', 'denied_by_user')))).toEqual([])
  })
})
