import { describe, expect, it } from 'vitest'
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
  writes,
} from '../testing/recorded-events.ts'
import { foldEvents } from './fold-events.ts'
import { isOpenRow, rowsOf } from './rows-of.ts'
import { EMPTY_THREAD } from './thread-view.ts'

/** Each row as `. label status`, indented by its depth. */
function sketch({ events }: { readonly events: Recording['events'] }): readonly string[] {
  const turn = foldEvents(EMPTY_THREAD, events).turns[0]!
  return rowsOf(turn).map(({ depth, item }) => {
    const words = item.type === 'call' ? `${item.label} ${item.status}` : item.type
    return `${'. '.repeat(depth)}${words}`
  })
}

const begun = (): Recording => new Recording().add('top', starts('Hi'), iteration(1))

describe('the rows of a turn', () => {
  it('are its calls and notes in reading order, sub-agents below their call', () => {
    expect(sketch({ events: [...recordSampleThread()] })).toEqual([
      'Connect an app ok',
      'notice',
      'retry',
      'Work with an app ok',
      '. notes_find failed',
      '. notes_delete ok',
      'message',
    ])
  })

  it('keep two sub-agents apart that run at once', () => {
    const recording = begun()
      .add('top', calls(1, 'x', 'Ask one'), calls(1, 'y', 'Ask two'))
      .add('one', starts('1', ['top', 'x']), iteration(1))
      .add('two', starts('2', ['top', 'y']), iteration(1), calls(1, 'a', 'Second'))
      .add('one', calls(1, 'a', 'First'), calls(1, 'b', 'Ask three'))
      .add('three', starts('3', ['one', 'b']), iteration(1), calls(1, 'a', 'Deep'))
      .add('one', calls(1, 'c', 'Last of one'))
    expect(sketch(recording)).toEqual([
      'Ask one running',
      '. First running',
      '. Ask three running',
      '. . Deep running',
      '. Last of one running',
      'Ask two running',
      '. Second running',
    ])
  })

  it('leave out what a sub-agent does after its call has ended', () => {
    const recording = begun()
      .add('top', calls(1, 'x', 'Ask one'))
      .add('one', starts('1', ['top', 'x']), iteration(1), calls(1, 'a', 'In time'))
      .add('top', gets(1, 'x', 'Ask one', 'done'))
      .add('one', calls(1, 'b', 'Too late'))
    expect(sketch(recording)).toEqual(['Ask one ok', '. In time running'])
  })

  it('leave out text, thoughts and calls that are still being written', () => {
    expect(sketch(begun().add('top', says(1, 'So'), writes(1, 'x', 'look', '{')))).toEqual([])
  })

  it('are open while their call may change', () => {
    const recording = begun().add('top', calls(1, 'x', 'Delete'), asks(1, 'approval', 'x', 'Delete'))
    const rows = () => rowsOf(foldEvents(EMPTY_THREAD, recording.events).turns[0]!)
    expect(rows().map(isOpenRow)).toEqual([true])
    recording.add('top', ends('Stopped.', { type: 'aborted' }))
    expect(rows().map(isOpenRow)).toEqual([false])
  })
})
