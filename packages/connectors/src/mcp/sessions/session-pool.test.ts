import type { Clock } from '@capstan/harness/seams'
import { describe, expect, it, vi } from 'vitest'
import type { Session } from './session.ts'
import { createSessionPool } from './session-pool.ts'

interface FakeSession extends Session {
  readonly holds: boolean[]
}

function fakeSession(): FakeSession {
  let isOpen = true
  const holds: boolean[] = []
  const never = () => Promise.reject(new Error('not in this test'))
  return {
    holds,
    instructions: undefined,
    era: 'legacy',
    get isOpen() {
      return isOpen
    },
    listPage: never,
    call: never,
    hasResources: false,
    resourceChanges: {
      tells: { updates: false, list: false },
      listen: () => () => {},
      subscribe: () => Promise.reject(new Error('not here')),
    },
    closed: new Promise(() => {}),
    listResources: never,
    readResource: never,
    ping: never,
    explainRefusal: () => undefined,
    hold: (isHeld) => void holds.push(isHeld),
    close() {
      isOpen = false
      return Promise.resolve()
    },
  }
}

/** Time that stands still, and how many wait for it. */
function stillClock(): { readonly clock: Clock; readonly waiting: Set<() => void> } {
  const waiting = new Set<() => void>()
  return {
    waiting,
    clock: {
      now: () => 0,
      monotonic: () => 0,
      after(_, task) {
        waiting.add(task)
        return () => void waiting.delete(task)
      },
    },
  }
}

describe('sessions', () => {
  const nothing = () => Promise.resolve()

  it('are shared by callers at the same time, and held while one of them waits', async () => {
    const { clock } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const session = fakeSession()
    let opened = 0
    const open = () => {
      opened += 1
      return Promise.resolve(session)
    }
    await Promise.all([sessions.use('a', open, nothing), sessions.use('a', open, nothing)])
    expect(opened).toBe(1)
    expect(session.holds.at(0)).toBe(true)
    expect(session.holds.at(-1)).toBe(false)
    expect(sessions.peek('a')).toBe(session)
  })

  it('are closed after the idle time, and not before', async () => {
    const { clock, waiting } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const session = fakeSession()
    await sessions.use('a', () => Promise.resolve(session), nothing)
    expect(waiting.size).toBe(1)
    await sessions.use(
      'a',
      () => Promise.reject(new Error('it is open already')),
      async () => expect(waiting.size).toBe(0),
    )
    for (const task of waiting) task()
    await expect.poll(() => session.isOpen).toBe(false)
    expect(sessions.peek('a')).toBeUndefined()
  })

  it('that failed to open are opened again for the next caller', async () => {
    const { clock } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    await expect(sessions.use('a', () => Promise.reject(new Error('down')), nothing)).rejects.toThrow('down')
    expect(
      await sessions.use(
        'a',
        () => Promise.resolve(fakeSession()),
        () => Promise.resolve('up'),
      ),
    ).toBe('up')
  })

  it('that were lost do not close the session that replaced them', async () => {
    const { clock } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const [first, second] = [fakeSession(), fakeSession()]
    await sessions.use('a', () => Promise.resolve(first), nothing)
    await first.close()
    await sessions.use('a', () => Promise.resolve(second), nothing)
    await sessions.drop('a', first)
    expect(sessions.peek('a')).toBe(second)
  })

  it('that are retired end when nobody uses them any more, and others take their place at once', async () => {
    const { clock } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const [first, second] = [fakeSession(), fakeSession()]
    const work = Promise.withResolvers<void>()
    const using = sessions.use(
      'a',
      () => Promise.resolve(first),
      () => work.promise,
    )
    sessions.retire('a')
    await sessions.use('a', () => Promise.resolve(second), nothing)
    expect([first.isOpen, sessions.peek('a')]).toEqual([true, second])
    work.resolve()
    await using
    await vi.waitFor(() => expect(first.isOpen).toBe(false))
    sessions.retire('a')
    await vi.waitFor(() => expect(second.isOpen).toBe(false))
  })

  it('are abandoned while they open, and leave no timer, when the pool closes', async () => {
    const { clock, waiting } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const opening = sessions.use(
      'a',
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        }),
      nothing,
    )
    await Promise.all([expect(opening).rejects.toThrow('closed'), sessions.close()])
    expect(waiting.size).toBe(0)
    await expect(sessions.use('a', () => Promise.resolve(fakeSession()), nothing)).rejects.toThrow('closed')
  })

  it('that are in use when the pool closes leave no timer', async () => {
    const { clock, waiting } = stillClock()
    const sessions = createSessionPool({ clock, idleMs: 1_000 })
    const work = Promise.withResolvers<void>()
    const using = sessions.use(
      'a',
      () => Promise.resolve(fakeSession()),
      () => work.promise,
    )
    await sessions.close()
    work.resolve()
    await using
    expect(waiting.size).toBe(0)
  })
})
