import type { ThreadId, ThreadSummary } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { addPage, applyThread, emptyList, groupByDay, removeThread } from './thread-list.ts'

function thread(id: string, updatedAt: number, more: Partial<ThreadSummary> = {}): ThreadSummary {
  return { id: id as ThreadId, userId: 'u', title: id, createdAt: 0, updatedAt, ...more }
}

const ids = (list: { readonly threads: readonly ThreadSummary[] }): string[] =>
  list.threads.map(({ id }) => id)

describe('the thread list', () => {
  const firstPage = addPage(emptyList(false), { threads: [thread('c', 30), thread('b', 20)], next: 20 })

  it('adds pages until the last one', () => {
    expect(firstPage.next).toBe(20)
    const whole = addPage(firstPage, { threads: [thread('a', 10)] })
    expect(ids(whole)).toEqual(['c', 'b', 'a'])
    expect(whole.next).toBeUndefined()
  })

  it('shows a thread once after repeated updates', () => {
    const moved = applyThread(firstPage, thread('b', 40))
    expect(ids(addPage(moved, { threads: [thread('b', 20), thread('a', 10)] }))).toHaveLength(3)
  })

  it('moves a changed thread to the top', () => {
    expect(ids(applyThread(firstPage, thread('b', 40, { activity: 'running' })))).toEqual(['b', 'c'])
  })

  it('adds a new thread', () => {
    expect(ids(applyThread(firstPage, thread('d', 50)))).toEqual(['d', 'c', 'b'])
  })

  it('ignores an update of a thread on a page that is not loaded', () => {
    expect(ids(applyThread(firstPage, thread('a', 10)))).toEqual(['c', 'b'])
  })

  it('removes an archived thread, and the archive adds it', () => {
    const archived = thread('b', 20, { archivedAt: 60 })
    expect(ids(applyThread(firstPage, archived))).toEqual(['c'])
    expect(ids(applyThread(emptyList(true), archived))).toEqual(['b'])
  })

  it('removes a deleted thread', () => {
    expect(ids(removeThread(firstPage, 'c'))).toEqual(['b'])
  })
})

describe('the groups of the thread list', () => {
  const now = new Date(2026, 10, 16, 9).getTime()

  it('follow the calendar, not hours', () => {
    const groups = groupByDay(
      [
        thread('today', new Date(2026, 10, 16, 0, 0, 1).getTime()),
        thread('yesterday', new Date(2026, 10, 15, 23, 59).getTime()),
        thread('week', new Date(2026, 10, 10).getTime()),
        thread('november', new Date(2026, 10, 2).getTime()),
        thread('october', new Date(2026, 9, 31).getTime()),
        thread('october, too', new Date(2026, 9, 1).getTime()),
      ],
      now,
    )
    expect(groups.map((group) => [group.kind, ...ids(group)])).toEqual([
      ['today', 'today'],
      ['yesterday', 'yesterday'],
      ['week', 'week'],
      ['month', 'november'],
      ['month', 'october', 'october, too'],
    ])
    expect(groups[4]).toMatchObject({ month: new Date(2026, 9, 1).getTime() })
  })

  it('contain no empty group', () => {
    expect(groupByDay([], now)).toEqual([])
  })
})
