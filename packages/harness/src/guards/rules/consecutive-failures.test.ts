import { describe, expect, it } from 'vitest'
import { createConsecutiveFailuresGuard } from './consecutive-failures.ts'
import type { TraceStep } from '../replay-trace.ts'
import { replayTrace } from '../replay-trace.ts'
import { createSeenCalls } from '../compare/seen-calls.ts'
import { did, failed, silent, times, waited } from '../traces/trace.ts'

function replay(steps: readonly TraceStep[]) {
  const seen = createSeenCalls()
  return replayTrace({ id: 'test', steps }, [seen, createConsecutiveFailuresGuard(undefined, seen)])
}

const broken = (n: number) => silent(failed(`door_${n}`, { n }, 'missing_app', 'the lock has no power'))
const slow = (n: number) => silent(failed(`door_${n}`, { n }, 'timeout', 'no answer'))

describe('consecutive failures', () => {
  it('halt at the sixth, of any tools, and name the last reason', () => {
    expect(replay(times(9, broken))).toEqual({
      halted: true,
      step: 5,
      guard: 'consecutive-failures',
      answer:
        'I stopped because 6 calls in a row failed, the last of them "door_5". The last reason: the lock has no ' +
        'power. Once that is settled, ask me to go on.',
    })
  })

  it('halt at the twelfth when they are transient', () => {
    expect(replay(times(11, slow))).toEqual({ halted: false })
    expect(replay(times(12, slow))).toMatchObject({ halted: true, step: 11 })
  })

  it('halt at six lasting ones among transient ones', () => {
    const mixed = times(12, (n) => (n % 2 === 0 ? broken(n) : slow(n)))
    expect(replay(mixed)).toMatchObject({ halted: true, step: 10 })
  })

  it('start at zero after a success', () => {
    const success = silent(did('door_open', {}, 'open'))
    expect(replay([...times(5, broken), success, ...times(5, broken)])).toEqual({ halted: false })
  })

  it('do not start at zero after a repeated success or a wait', () => {
    const look = silent(did('map_show', {}, 'seven doors'))
    const pause = silent(waited('wait', { seconds: 1 }, 'waited'))
    expect(replay([look, ...times(3, broken), look, pause, ...times(3, broken)])).toMatchObject({ step: 8 })
  })

  it('start at zero when a repeated remedy changes what fails', () => {
    const round = (n: number) => [
      silent(failed('check', {}, 'command_failed', `${9 - n} faults`)),
      silent(did('repair', {}, 'repaired')),
    ]
    expect(replay(times(8, round).flat())).toEqual({ halted: false })
  })

  it('of one reply do not halt, since the model had not seen the first', () => {
    const tryAll = silent(
      ...times(9, (n) => failed('door_open', { n }, 'missing_permission', 'not your door')),
    )
    expect(replay([tryAll, tryAll])).toEqual({ halted: false })
    expect(replay([tryAll, tryAll, tryAll])).toMatchObject({ halted: true, step: 2 })
  })
})
