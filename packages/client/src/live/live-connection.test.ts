import type { EventPage, RunId, ThreadId, TurnEvent, WatchReply } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createLiveConnection } from './live-connection.ts'
import type { ConnectionState, RawSocket } from './live-connection.ts'

type Listener = (...args: never[]) => void

/** A socket whose server is the test. */
function createFakeSocket() {
  const listeners = new Map<string, Set<Listener>>()
  const sent: { readonly name: string; readonly args: readonly unknown[] }[] = []
  let isConnected = false
  let isActive = true
  const raw: RawSocket & { readonly connects: number } = {
    connects: 0,
    get connected() {
      return isConnected
    },
    get active() {
      return isActive
    },
    on: (name, listener) => {
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
    },
    off: (name, listener) => listeners.get(name)?.delete(listener),
    emit: (name, ...args) => sent.push({ name, args }),
    connect: () => {
      isActive = true
      Object.assign(raw, { connects: raw.connects + 1 })
    },
    disconnect: () => {
      isActive = false
      isConnected = false
    },
  }
  const say = (name: string, ...args: unknown[]): void => {
    for (const listener of listeners.get(name) ?? []) (listener as (...given: unknown[]) => void)(...args)
  }
  return {
    raw,
    sent,
    say,
    listenerCount: (name: string) => listeners.get(name)?.size ?? 0,
    watches: () => sent.filter(({ name }) => name === 'thread-watch').map(({ args }) => args[0]),
    answer: (reply: WatchReply) => {
      const last = sent.findLast(({ name }) => name === 'thread-watch')
      const callback = last?.args[1] as ((given: WatchReply) => void) | undefined
      callback?.(reply)
    },
    goOnline: () => {
      isConnected = true
      isActive = true
      say('connect')
    },
    goOffline: (reason = 'transport close') => {
      isConnected = false
      isActive = reason !== 'io server disconnect'
      say('disconnect', reason)
    },
    refuse: () => {
      isActive = false
      say('connect_error', new Error('refused'))
    },
  }
}

const THREAD = 'thread_1' as ThreadId

function event(seq: number, threadId = THREAD): TurnEvent {
  return {
    type: 'text-delta',
    iteration: 0,
    delta: String(seq),
    threadId,
    runId: 'run_1' as RunId,
    seq,
    at: seq,
  }
}

const events = (from: number, to: number): TurnEvent[] =>
  Array.from({ length: to - from + 1 }, (_, at) => event(from + at))

function setUp(
  ledger: (after: number) => Promise<EventPage> = () => Promise.reject(new Error('not asked for')),
  login: { signedOut: boolean } = { signedOut: false },
) {
  const fake = createFakeSocket()
  const reads: number[] = []
  const client = createLiveConnection({
    socket: fake.raw,
    readEvents: (_threadId, after) => {
      reads.push(after)
      return ledger(after)
    },
    isSignedOut: () => Promise.resolve(login.signedOut),
    retryMs: 1,
  })
  const seen: number[] = []
  const watch = (after = 0) =>
    client.watchThread(THREAD, after, (got) => seen.push(...got.map(({ seq }) => seq)))
  return { fake, client, reads, seen, watch }
}

describe('socket client', () => {
  it('hands on every event of the thread once', () => {
    const { fake, seen, watch } = setUp()
    fake.goOnline()
    watch()
    fake.say('turn-events', events(1, 3))
    fake.say('turn-events', [event(2), event(3), event(4)])
    fake.say('turn-events', [event(1, 'thread_2' as ThreadId)])
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('watches on from the last event it has seen after a reconnect', () => {
    const { fake, seen, watch } = setUp()
    watch(2)
    expect(fake.watches()).toEqual([])
    fake.goOnline()
    fake.say('turn-events', events(3, 5))
    fake.goOffline()
    fake.goOnline()
    fake.say('turn-events', events(4, 7))
    expect(fake.watches()).toEqual([
      { threadId: THREAD, after: 2 },
      { threadId: THREAD, after: 5 },
    ])
    expect(seen).toEqual([3, 4, 5, 6, 7])
  })

  it('reads what is missing before it hands on what came after it', async () => {
    const { fake, reads, seen, watch } = setUp((after) =>
      Promise.resolve({ events: events(after + 1, 6), lastSeq: 6 }),
    )
    fake.goOnline()
    watch()
    fake.say('turn-events', events(1, 2))
    fake.say('turn-events', [event(5)])
    expect(seen).toEqual([1, 2])
    fake.say('turn-events', [event(6), event(7)])
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]))
    expect(reads).toEqual([2])
  })

  it('keeps reading a gap until the server can be read', async () => {
    let isAway = true
    const { fake, seen, watch } = setUp((after) => {
      if (!isAway) return Promise.resolve({ events: events(after + 1, 3), lastSeq: 3 })
      isAway = false
      return Promise.reject(new Error('away'))
    })
    fake.goOnline()
    watch()
    fake.say('turn-events', [event(3)])
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]))
  })

  it('stays in order over a thousand random batches, repeats and reconnects', async () => {
    const last = 1000
    const { fake, seen, watch } = setUp((after) =>
      Promise.resolve({ events: events(after + 1, Math.min(after + 20, last)), lastSeq: last }),
    )
    fake.goOnline()
    watch()
    let random = 42
    const next = (below: number): number => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return random % below
    }
    for (let at = 1; at <= last; at += next(9)) {
      const from = Math.max(1, at - next(5))
      fake.say('turn-events', events(from, Math.min(last, from + next(8))))
      if (next(20) === 0) {
        fake.goOffline()
        fake.goOnline()
      }
      if (next(30) === 0) await Promise.resolve()
    }
    fake.say('turn-events', events(last, last))
    await vi.waitFor(() => expect(seen.length).toBe(last))
    expect(seen).toEqual(Array.from({ length: last }, (_, at) => at + 1))
  })

  it('says when the server will not show a thread', () => {
    const { fake, client } = setUp()
    fake.goOnline()
    const onRefuse = vi.fn()
    client.watchThread('thread_x', 0, () => undefined, { onRefuse })
    fake.answer({ ok: false, reason: 'unknown' })
    expect(onRefuse).toHaveBeenCalledWith('unknown')
  })

  it('leaves a thread when nobody watches it any more', () => {
    const { fake, seen, watch } = setUp()
    fake.goOnline()
    const leaveOne = watch()
    const leaveOther = watch()
    leaveOne()
    expect(fake.sent.some(({ name }) => name === 'thread-leave')).toBe(false)
    leaveOther()
    expect(fake.sent.filter(({ name }) => name === 'thread-leave')).toHaveLength(1)
    fake.say('turn-events', [event(1)])
    expect(seen).toEqual([])
  })

  it('is connecting, then online, then offline while it looks for the server', () => {
    const { fake, client } = setUp()
    const states: ConnectionState[] = [client.state()]
    client.onStateChange((state) => states.push(state))
    fake.goOnline()
    fake.goOffline()
    fake.goOnline()
    expect(states).toEqual(['connecting', 'online', 'offline', 'online'])
  })

  it('stops looking once the login is over', async () => {
    const { fake, client } = setUp(undefined, { signedOut: true })
    fake.refuse()
    await vi.waitFor(() => expect(client.state()).toBe('signed-out'))
    expect(fake.raw.active).toBe(false)
    expect(fake.raw.connects).toBe(1)
  })

  it('tries again by itself when the server threw it out but the login holds', async () => {
    const { fake, client } = setUp()
    fake.goOnline()
    fake.goOffline('io server disconnect')
    await vi.waitFor(() => expect(fake.raw.connects).toBe(2))
    expect(client.state()).toBe('offline')
  })

  it('comes back after a sign-in elsewhere', async () => {
    const login = { signedOut: true }
    const { fake, client } = setUp(undefined, login)
    fake.refuse()
    await vi.waitFor(() => expect(client.state()).toBe('signed-out'))
    login.signedOut = false
    client.reconnect()
    fake.goOnline()
    expect(client.state()).toBe('online')
  })

  it('believes an answer over HTTP that says the login is over', () => {
    const { fake, client } = setUp()
    fake.goOnline()
    client.reportSignedOut()
    expect(client.state()).toBe('signed-out')
    expect(fake.raw.connected).toBe(false)
  })

  it('lets go of everything when it is closed', () => {
    const { fake, client, seen, watch } = setUp()
    fake.goOnline()
    watch()
    client.close()
    fake.say('turn-events', [event(1)])
    expect(seen).toEqual([])
    expect(fake.listenerCount('connect') + fake.listenerCount('turn-events')).toBe(0)
  })
})
