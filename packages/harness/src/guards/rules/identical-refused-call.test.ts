import { describe, expect, it } from 'vitest'
import { createIdenticalRefusedCallGuard } from './identical-refused-call.ts'
import type { TraceStep } from '../replay-trace.ts'
import { replayTrace } from '../replay-trace.ts'
import { did, failed, silent } from '../traces/trace.ts'

const replay = (steps: readonly TraceStep[]) =>
  replayTrace({ id: 'test', steps }, [createIdenticalRefusedCallGuard()])

const push = silent(failed('git_push', { branch: 'main' }, 'blocked_by_policy', 'main is protected'))
const buy = silent(failed('buy', { what: 'a boat' }, 'denied_by_user', 'no'))

describe('a refused call', () => {
  it('halts when it is sent again, and the answer says how to allow it', () => {
    expect(replay([push, push])).toEqual({
      halted: true,
      step: 1,
      guard: 'identical-refused-call',
      answer:
        'I stopped because "git_push" was refused 2 times. The last reason: main is protected. If you want it ' +
        'after all, allow it and ask me again; otherwise tell me what to do instead.',
    })
  })

  it('is the same call in another spelling', () => {
    const shouted = silent(
      failed('git_push', { branch: ' MAIN', dry_run: null }, 'blocked_by_policy', 'protected'),
    )
    expect(replay([push, shouted])).toMatchObject({ halted: true, step: 1 })
  })

  it('halts also after other work in between', () => {
    expect(replay([buy, silent(did('rent', { what: 'a boat' }, 'rented')), buy])).toMatchObject({ step: 2 })
  })

  it('does not affect other calls', () => {
    expect(replay([push, buy])).toEqual({ halted: false })
  })

  it('is forgotten once it was allowed', () => {
    const allowed = silent(did('buy', { what: 'a boat' }, 'bought'))
    expect(replay([buy, allowed, buy])).toEqual({ halted: false })
  })

  it('counts also when the approval timed out', () => {
    const asked = silent(failed('pay', { bill: 4 }, 'approval_expired', 'nobody answered'))
    expect(replay([asked, asked])).toMatchObject({ halted: true, step: 1 })
  })
})
