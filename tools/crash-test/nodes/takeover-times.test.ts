import type { LedgerRecord } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import type { MoveLog, Page } from './judge-moves.ts'
import type { Away } from './takeover-times.ts'
import { findTakeovers, p95 } from './takeover-times.ts'

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
  findTakeovers(pages, { kind: 'kill', node: 'a', at: 100 }).map(({ ms }) => ms)

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
    const moved = findTakeovers(log([10, 'a', START], [700, 'b']), { kind: 'kill', node: 'c', at: 100 })
    expect(moved).toEqual([])
  })
})

describe('what hinders a takeover', () => {
  const claimed: MoveLog = {
    moves: [
      { thread: 't', owner: 'a', pages: 0, at: 5 },
      { thread: 't', owner: 'b', pages: 1, at: 300 },
    ],
    pages: log([10, 'a', START], [700, 'b']).pages,
  }
  const hindrancesOf = (away: Away): number =>
    findTakeovers(claimed, { kind: 'kill', node: 'a', at: 100 }, [away])[0]!.hindrances.length

  it('is a database that is away between the kill and the first page', () => {
    expect(hindrancesOf({ kind: 'restart', from: 50, until: 150 })).toBe(1)
    expect(hindrancesOf({ kind: 'crash', from: 200, until: 400 })).toBe(1)
    expect(hindrancesOf({ kind: 'crash', from: 50, until: 90 })).toBe(0)
    expect(hindrancesOf({ kind: 'crash', from: 701, until: 900 })).toBe(0)
  })

  it('is a freeze or a kill of the node that claimed the thread, not of another one', () => {
    expect(hindrancesOf({ kind: 'nap', node: 'b', from: 400, until: 500 })).toBe(1)
    expect(hindrancesOf({ kind: 'freeze', node: 'b', from: 400, until: Infinity })).toBe(1)
    expect(hindrancesOf({ kind: 'nap', node: 'c', from: 400, until: 500 })).toBe(0)
    expect(hindrancesOf({ kind: 'kill', node: 'b', from: 400, until: 400 })).toBe(1)
    expect(hindrancesOf({ kind: 'kill', node: 'b', from: 200, until: 200 })).toBe(0)
    expect(hindrancesOf({ kind: 'kill', node: 'a', from: 100, until: 100 })).toBe(0)
  })

  it('is told beside when the thread was claimed', () => {
    const [takeover] = findTakeovers(claimed, { kind: 'kill', node: 'a', at: 100 })
    expect(takeover).toEqual({ thread: 't', next: 'b', claimedMs: 200, ms: 600, hindrances: [] })
  })
})

describe('p95', () => {
  it('is the time that 95 of 100 do not exceed', () => {
    expect(p95(Array.from({ length: 100 }, (_, n) => n + 1))).toBe(95)
    expect(p95([7])).toBe(7)
    expect(p95([])).toBe(0)
  })
})
