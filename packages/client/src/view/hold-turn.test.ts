import { expect, it } from 'vitest'
import { asks, calls, iteration, Recording, starts } from '../testing/recorded-events.ts'
import { foldEvents } from './fold-events.ts'
import { holdTurn } from './hold-turn.ts'
import { EMPTY_THREAD } from './thread-view.ts'
import { asksOf, currentStepOf, openAsksOf, statusOf } from './turn-view.ts'

const view = foldEvents(
  EMPTY_THREAD,
  new Recording().add(
    'a',
    starts('Tidy up'),
    iteration(1),
    calls(1, '1', 'delete_page'),
    asks(1, 'approval_1', '1', 'delete_page'),
    calls(1, '2', 'delete_page'),
    asks(1, 'approval_2', '2', 'delete_page'),
  ).events,
)

it('a turn that was answered during a hold is held, and its other questions stay open', () => {
  const [turn] = holdTurn(view, { activity: 'held', answered: { approval_1: 'allow-once' } }).turns
  expect(statusOf(turn!)).toBe('held')
  expect(currentStepOf(turn!)).toEqual({ type: 'held' })
  expect(asksOf(turn!).map(({ status, approval }) => [status, approval?.decision])).toEqual([
    ['held', 'allow-once'],
    ['asking', undefined],
  ])
  expect(openAsksOf(turn!)).toHaveLength(1)
  expect(statusOf(view.turns[0]!)).toBe('waiting')
})

it('a thread that is not held keeps its view', () => {
  for (const activity of ['waiting', 'running'] as const) expect(holdTurn(view, { activity })).toBe(view)
  expect(holdTurn(EMPTY_THREAD, { activity: 'held' })).toBe(EMPTY_THREAD)
})
