import type { AppChange } from '@capstan/harness/connectors'
import { describe, expect, it } from 'vitest'
import { takeChange } from './take-change.ts'
import type { WatchState } from './watch-state.ts'

const NEW: WatchState = { epoch: 'e', count: 0, versions: {}, recent: [] }
const HOUR = 3_600_000
const item = (id: string, version: string, text = 'Text.'): AppChange => ({
  type: 'item',
  id,
  version,
  title: id,
  text,
})
const list = (version: string): AppChange => ({ type: 'list', version, added: ['a'], removed: [] })

/** The ids of what is reported, and the state in the end. */
function takeAll(changes: readonly AppChange[], from = NEW, now = 10 * HOUR) {
  let state = from
  const ids: string[] = []
  for (const change of changes) {
    const taken = takeChange(state, change, now)
    state = taken.state
    if (taken.occurrence) ids.push(taken.occurrence.externalId)
  }
  return { state, ids }
}

describe('a change of an app', () => {
  it('is reported once for each state, and again when the state comes back', () => {
    const { ids } = takeAll([item('x', '1'), item('x', '1'), item('x', '2'), item('x', '1'), item('y', '1')])
    expect(new Set(ids).size).toBe(4)
  })

  it('has the same id when it is taken again after a kill', () => {
    const once = takeChange(NEW, item('x', '1'), 1)
    expect(takeChange(NEW, item('x', '1'), 2).occurrence!.externalId).toBe(once.occurrence!.externalId)
    expect(takeChange(once.state, item('x', '1'), 2)).toEqual({ state: once.state })
  })

  it('of the list counts from the second one on', () => {
    expect(takeAll([list('1'), list('1')]).ids).toEqual([])
    expect(takeAll([list('1'), list('2')]).ids).toHaveLength(1)
  })

  it('in a storm is reported 30 times in an hour, then once that there is more, and later again', () => {
    const storm = Array.from({ length: 5_000 }, (_, n) => item(`id ${n % 300}`, String(n)))
    const { ids, state } = takeAll(storm)
    expect(ids).toHaveLength(31)
    expect(ids.at(-1)).toContain('more')
    expect(Object.keys(state.versions).length).toBeLessThanOrEqual(200)
    expect(takeAll(storm.slice(-1), state, 12 * HOUR).ids).toHaveLength(1)
  })

  it('with an odd id keeps the state small and apart', () => {
    const odd = ['__proto__', 'constructor', 'a', 'a\u0000', '\uD800', 'x'.repeat(100_000)]
    const { ids, state } = takeAll(odd.map((id) => item(id, '1')))
    expect(new Set(ids).size).toBe(odd.length)
    expect(JSON.stringify(state).length).toBeLessThan(2_000)
    expect(
      takeAll(
        odd.map((id) => item(id, '1')),
        state,
      ).ids,
    ).toEqual([])
  })
})
