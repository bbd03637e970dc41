import { expect, it } from 'vitest'
import { ending, EXPIRED } from '../testing/sample-events.ts'
import { exitCodeOf } from './exit-code.ts'

it.each([
  [ending({ type: 'done' }), 0],
  [ending({ type: 'failed', failure: EXPIRED }), 1],
  [ending({ type: 'failed', failure: EXPIRED, cap: { kind: 'iterations', limit: 2 } }), 3],
  [ending({ type: 'capped' }), 3],
  [ending({ type: 'halted' }), 3],
  [ending({ type: 'needs-input' }), 3],
  [ending({ type: 'aborted' }), 130],
])('the exit code of outcome %o is %i', (outcome, code) => {
  expect(exitCodeOf(outcome)).toBe(code)
})
