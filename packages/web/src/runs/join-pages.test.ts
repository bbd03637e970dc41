import { expect, it } from 'vitest'
import { joinPages } from './join-pages.ts'
import { runRow } from './run.fixture.ts'

it('joinPages keeps a run that moved to the next page once, as it was read last', () => {
  const rows = joinPages([
    { runs: [runRow('c'), runRow('b', { status: 'done' })] },
    { runs: [runRow('b', { status: 'running' }), runRow('a')] },
  ])
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ['c', 'done'],
    ['b', 'done'],
    ['a', 'done'],
  ])
})
