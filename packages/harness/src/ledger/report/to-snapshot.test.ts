import { describe, expect, it } from 'vitest'
import { CHILD, EXPIRED_SIGN_IN, spent, TOP, TRIP } from '../thread.fixture.ts'
import { explainRun } from './explain-run.ts'
import { toSnapshot } from './to-snapshot.ts'

describe('the snapshot of a turn', () => {
  it('has its status, its steps with their failures, and its cost', () => {
    const snapshot = toSnapshot(explainRun(TRIP, TOP)!)
    expect(snapshot).toMatchObject({ status: 'done', iterations: 2, usage: spent(3200, 75, 0.03) })
    expect(snapshot.steps).toMatchObject([
      {
        runId: TOP,
        depth: 0,
        tool: 'read_calendar',
        label: 'Read calendar',
        detail: 'tomorrow',
        status: 'failed',
      },
      { runId: TOP, depth: 0, label: 'Ask notes helper', status: 'ok' },
      { runId: CHILD, depth: 1, label: 'Search notes', status: 'ok' },
    ])
    expect(snapshot.steps[0]?.failure).toEqual(EXPIRED_SIGN_IN)
  })
})
