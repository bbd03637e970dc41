import type { LedgerRecord } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import type { Effect } from '../services.ts'
import type { Move, MoveLog, Page } from './judge-moves.ts'
import { countLateEffects, judgeMoves } from './judge-moves.ts'

const move = (owner: string | null, pages: number, at: number): Move => ({ thread: 't', owner, pages, at })
const page = (number: number, node: string, ...records: readonly object[]): Page => ({
  thread: 't',
  page: number,
  node,
  at: number * 1_000,
  records: records as readonly LedgerRecord[],
})
const START = { type: 'run-start', run: { runId: 'run', depth: 0 } }
const intent = (callId: string): object => ({ type: 'call-intent', runId: 'run', callId })
const effect = (node: string, callId: string, at: number): Effect => ({
  tool: 'save',
  tag: callId,
  key: `run/${callId}`,
  node,
  at,
})
/** `a` has the thread for two pages, then `b` takes it over, at 2500. */
const LOG: MoveLog = {
  moves: [move('a', 0, 500), move('b', 2, 2_500)],
  pages: [page(1, 'a', START), page(2, 'a', intent('one')), page(3, 'b')],
}
const judge = (log: MoveLog, ...effects: readonly Effect[]): readonly string[] =>
  [...judgeMoves(log, effects)].map(({ count, text }) => `${count}: ${text}`)

describe('a thread that moved', () => {
  it('is written by its owner alone', () => {
    expect(judge(LOG)).toEqual([])
    const late = { ...LOG, pages: [...LOG.pages, page(4, 'a')] }
    expect(judge(late)).toEqual(['staleWrites: a stored page 4 of t, which had moved to b'])
  })

  it('may be written by anybody while nobody owns it', () => {
    expect(
      judge({ moves: [...LOG.moves, move(null, 3, 3_500)], pages: [...LOG.pages, page(4, 'a')] }),
    ).toEqual([])
  })

  it('may come back', () => {
    expect(
      judge({ moves: [...LOG.moves, move('a', 3, 3_500)], pages: [...LOG.pages, page(4, 'a')] }),
    ).toEqual([])
  })

  it('starts no further call at the node that lost it', () => {
    expect(judge(LOG, effect('a', 'one', 2_400), effect('b', 'two', 4_000))).toEqual([])
    expect(judge(LOG, effect('a', 'two', 4_000))).toEqual([
      'staleWrites: a did save two for a thread that had moved to b',
    ])
  })

  it('may see the end of a call that had started before, and that is counted apart', () => {
    const late = effect('a', 'one', 4_000)
    expect(judge(LOG, late)).toEqual([])
    expect(countLateEffects(LOG, [late, effect('a', 'one', 2_400), effect('a', 'two', 4_000)])).toBe(1)
  })

  it('forgives a request that was on its way', () => {
    expect(judge(LOG, effect('a', 'two', 2_600))).toEqual([])
  })
})
