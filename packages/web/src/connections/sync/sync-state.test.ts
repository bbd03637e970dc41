import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { FailureClass, JobSummary, SyncView } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { toSyncState } from './sync-state.ts'
import { syncOf } from './sync.fixture.ts'

const NOW = 1_000_000
const LATER = NOW + 60_000
const counts = { pages: 1, added: 20, changed: 0, unchanged: 3, removed: 0, tooOld: 1, failed: 1 }

const stateOf = (fields: Partial<SyncView>, job: Partial<JobSummary> = {}) =>
  toSyncState(syncOf('a', { ...fields }, { nextAt: LATER, ...job }), 'active', NOW)

const because = (failure: FailureClass) =>
  stateOf(
    {},
    {
      lastFailure: {
        class: failure,
        category: FAILURE_CATEGORIES[failure],
        cause: '',
        next: '',
        recoverable: true,
      },
    },
  )

describe('the state of a sync', () => {
  it('is off without a job', () => {
    expect(toSyncState({ ...syncOf('a'), isOn: false }, 'active', NOW)).toEqual({ type: 'off' })
  })

  it('counts what a first sync has seen, of the whole if that is known', () => {
    const running = { status: 'running' } as const
    expect(stateOf({}, running)).toEqual({ type: 'running', done: 0 })
    expect(stateOf({ progress: counts }, running)).toEqual({ type: 'running', done: 25 })
    expect(stateOf({ progress: { ...counts, expected: 220 } }, running)).toEqual({
      type: 'running',
      done: 25,
      total: 220,
    })
    expect(stateOf({ progress: { ...counts, expected: 5 } }, running)).toEqual({ type: 'running', done: 25 })
    expect(stateOf({ progress: counts, lastDoneAt: 1 }, running)).toEqual({ type: 'checking' })
  })

  it('says when it was last done and when it goes on', () => {
    expect(stateOf({ lastDoneAt: 5 })).toEqual({ type: 'well', doneAt: 5, next: LATER })
    expect(stateOf({ progress: counts })).toEqual({ type: 'goes-on', done: 25, next: LATER })
    expect(stateOf({ usedUp: 'tokens' })).toEqual({ type: 'used-up', what: 'tokens', next: LATER })
    expect(stateOf({}, { nextAt: NOW })).toEqual({ type: 'soon' })
    expect(stateOf({ lastDoneAt: 5 }, { status: 'paused' })).toEqual({ type: 'paused', doneAt: 5 })
  })

  it('waits for a sign-in as soon as the account is not connected', () => {
    const sync = syncOf('a', { lastDoneAt: 5 }, { nextAt: LATER })
    expect(toSyncState(sync, 'expired', NOW)).toEqual({ type: 'sign-in' })
    expect(toSyncState(sync, 'pending', NOW)).toEqual({ type: 'sign-in' })
  })

  it('says why it does not go on', () => {
    expect(because('not_connected')).toEqual({ type: 'sign-in' })
    expect(because('bad_credentials')).toEqual({ type: 'sign-in' })
    expect(because('blocked_by_policy')).toEqual({ type: 'reading' })
    expect(because('unsupported')).toEqual({ type: 'no-source' })
    expect(because('rate_limited')).toEqual({ type: 'failed', failure: 'rate_limited', next: LATER })
    expect(stateOf({}, { status: 'failed' })).toEqual({ type: 'failed', failure: 'unknown' })
  })
})
