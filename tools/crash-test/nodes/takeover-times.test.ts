import type { LedgerRecord } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import type { MoveLog, Page } from './judge-moves.ts'
import { p95, takeoverTimes } from './takeover-times.ts'

const START = { type: 'run-start', run: { runId: 'run', depth: 0 } }
const PARK = { type: 'event', event: { type: 'turn-park', runId: 'run' } }
const RESUME = { type: 'event', event: { type: 'turn-resume', runId: 'run' } }
const END = { type: 'run-end', runId: 'run' }

const log = (...pages: readonly (readonly [at: number, node: string, record?: object])[]): MoveLog => ({
  moves: [{ thread: 't', owner: 'a', pages: 0, at: 5 }],
  pages: pages.map(([at, node, record], n): Page => ({
    thread: 't',
    page: n + 1,
    node,
    at,
    records: (record ? [record] : []) as readonly LedgerRecord[],
  })),
})
const killed = (pages: MoveLog): readonly number[] =>
  takeoverTimes(pages, { kind: 'kill', node: 'a', at: 100 })

describe('the time until another node goes on', () => {
  it('counts from the kill to the first page of the other node', () => {
    expect(killed(log([10, 'a', START], [20, 'a'], [700, 'b'], [800, 'b']))).toEqual([600])
  })

  it('is not known of a turn that had ended or waited', () => {
    expect(killed(log([10, 'a', START], [20, 'a', END], [700, 'b', START]))).toEqual([])
    expect(killed(log([10, 'a', START], [20, 'a', PARK], [700, 'b', RESUME]))).toEqual([])
    expect(killed(log([10, 'a', START], [20, 'a', PARK], [30, 'a', RESUME], [700, 'b']))).toEqual([600])
  })

  it('is not known when the node itself came back, or another one was killed', () => {
    expect(killed(log([10, 'a', START], [700, 'a']))).toEqual([])
    const moved = takeoverTimes(log([10, 'a', START], [700, 'b']), { kind: 'kill', node: 'c', at: 100 })
    expect(moved).toEqual([])
  })
})

describe('p95', () => {
  it('is the time that 95 of 100 do not exceed', () => {
    expect(p95(Array.from({ length: 100 }, (_, n) => n + 1))).toBe(95)
    expect(p95([7])).toBe(7)
    expect(p95([])).toBe(0)
  })
})
