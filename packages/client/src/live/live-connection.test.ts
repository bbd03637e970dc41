import type { EventPage, RunId, ThreadId, TurnEvent, WatchReply } from '@capstan/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError } from '../http/api-error.ts'
import { createLiveConnection } from './live-connection.ts'
import type { ConnectionState, RawSocket } from './live-connection.ts'
import type { WatchState } from './thread-watch.ts'

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
  const send = (name: string, ...args: unknown[]): void => {
    for (const listener of listeners.get(name) ?? []) (listener as (...given: unknown[]) => void)(...args)
  }
  return {
    raw,
    sent,
    send,
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
      send('connect')
    },
    goOffline: (reason = 'transport close') => {
      isConnected = false
      isActive = reason !== 'io server disconnect'
      send('disconnect', reason)
    },
    refuse: () => {
      isActive = false
      send('connect_error', new Error('refused'))
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
  login: { state: 'ok' | 'signed-out' | 'unreachable' } = { state: 'unreachable' },
  stream: (after: number, signal: AbortSignal) => Promise<AsyncIterable<TurnEvent>> = () =>
    Promise.reject(new Error('not asked for')),
) {
  const fake = createFakeSocket()
  const reads: number[] = []
  const streams: number[] = []
  const problems: unknown[] = []
  const client = createLiveConnection({
    socket: fake.raw,
    readEvents: (_threadId, after) => {
      reads.push(after)
      return ledger(after)
    },
    streamEvents: (_threadId, after, signal) => {
      streams.push(after)
      return stream(after, signal)
    },
    checkLogin: () => Promise.resolve(login.state),
    onProblem: (error) => problems.push(error),
    retryMs: 1,
  })
  const seen: number[] = []
  const states: WatchState[] = []
  const watch = (after = 0) =>
    client.watchThread(THREAD, {
      after,
      onEvent: ({ seq }) => seen.push(seq),
      onState: (state) => states.push(state),
    })
  return { fake, client, reads, streams, problems, seen, states, watch }
}

describe('the live connection', () => {
  it('delivers every event of the thread once', () => {
    const { fake, seen, watch } = setUp()
    fake.goOnline()
    watch()
    fake.send('turn-events', events(1, 3))
    fake.send('turn-events', [event(2), event(3), event(4)])
    fake.send('turn-events', [event(1, 'thread_2' as ThreadId)])
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('continues after the last event it has seen when it reconnects', () => {
    const { fake, seen, watch } = setUp()
    watch(2)
    expect(fake.watches()).toEqual([])
    fake.goOnline()
    fake.send('turn-events', events(3, 5))
    fake.goOffline()
    fake.goOnline()
    fake.send('turn-events', events(4, 7))
    expect(fake.watches()).toEqual([
      { threadId: THREAD, after: 2 },
      { threadId: THREAD, after: 5 },
    ])
    expect(seen).toEqual([3, 4, 5, 6, 7])
  })

  it('reads missing events before it delivers later ones', async () => {
    const { fake, reads, seen, watch } = setUp((after) =>
      Promise.resolve({ events: events(after + 1, 6), lastSeq: 6 }),
    )
    fake.goOnline()
    watch()
    fake.send('turn-events', events(1, 2))
    fake.send('turn-events', [event(5)])
    expect(seen).toEqual([1, 2])
    fake.send('turn-events', [event(6), event(7)])
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]))
    expect(reads).toEqual([2])
  })

  it('reads a gap again until the server answers', async () => {
    let isAway = true
    const { fake, seen, watch } = setUp((after) => {
      if (!isAway) return Promise.resolve({ events: events(after + 1, 3), lastSeq: 3 })
      isAway = false
      return Promise.reject(new Error('away'))
    })
    fake.goOnline()
    watch()
    fake.send('turn-events', [event(3)])
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]))
  })

  it.each(
    [{}, [], null, { events: {} }, { events: [null, 7, { threadId: THREAD, seq: '1' }] }].map((lie) => ({
      lie,
    })),
  )('reads a gap again when the server answers %j', async ({ lie }) => {
    let lies = 2
    const { fake, reads, seen, watch } = setUp(async (after) =>
      lies-- > 0 ? (lie as unknown as EventPage) : { events: events(after + 1, 4), lastSeq: 4 },
    )
    fake.goOnline()
    watch()
    fake.send('turn-events', [event(5)])
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4, 5]))
    expect(reads).toEqual([0, 0, 0])
  })

  it('waits longer after each read of a gap that failed', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { fake, client, reads, watch } = setUp(() => Promise.reject(new Error('away')))
    onTestFinished(() => client.close())
    fake.goOnline()
    watch()
    fake.send('turn-events', [event(3)])
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads.length).toBeGreaterThan(5)
    expect(reads.length).toBeLessThan(15)
  })

  it.each([undefined, null, {}, 'x', [null], [{}], [{ threadId: THREAD, seq: '1' }]].map((lie) => ({ lie })))(
    'ignores a batch of events that is %j',
    ({ lie }) => {
      const { fake, reads, seen, watch } = setUp()
      fake.goOnline()
      watch()
      fake.send('turn-events', lie)
      fake.send('turn-events', [event(1)])
      expect(seen).toEqual([1])
      expect(reads).toEqual([])
    },
  )

  it('delivers every event to a listener that throws, and reports the error', async () => {
    const { fake, client, problems } = setUp(async (after) => ({ events: events(after + 1, 6), lastSeq: 6 }))
    const got: number[] = []
    client.watchThread(THREAD, {
      onEvent({ seq }) {
        got.push(seq)
        throw new Error(`event ${seq}`)
      },
    })
    fake.goOnline()
    fake.send('turn-events', events(1, 2))
    fake.send('turn-events', [event(5)])
    await vi.waitFor(() => expect(got).toEqual([1, 2, 3, 4, 5, 6]))
    fake.send('turn-events', [event(8)])
    await vi.waitFor(() => expect(problems).toHaveLength(6))
    expect(problems[0]).toEqual(new Error('event 1'))
  })

  it('calls the other listeners when one throws', () => {
    const { fake, client, problems } = setUp()
    const fail = (): never => {
      throw new Error('broken listener')
    }
    const onState = vi.fn()
    const onWatchState = vi.fn()
    const onChange = vi.fn()
    client.onStateChange(fail)
    client.onStateChange(onState)
    client.on('threads-change', fail)
    const stop = client.on('threads-change', onChange)
    client.watchThread(THREAD, { onEvent: () => undefined, onState: fail })
    client.watchThread(THREAD, { onEvent: () => undefined, onState: onWatchState })
    fake.goOnline()
    fake.send('threads-change', {})
    fake.goOffline()
    stop()
    fake.send('threads-change', {})
    expect(onState.mock.calls).toEqual([['online'], ['offline']])
    expect(onWatchState.mock.calls).toEqual([['offline']])
    expect(onChange).toHaveBeenCalledTimes(1)
    expect(problems).toHaveLength(5)
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
      fake.send('turn-events', events(from, Math.min(last, from + next(8))))
      if (next(20) === 0) {
        fake.goOffline()
        fake.goOnline()
      }
      if (next(30) === 0) await Promise.resolve()
    }
    fake.send('turn-events', events(last, last))
    await vi.waitFor(() => expect(seen.length).toBe(last))
    expect(seen).toEqual(Array.from({ length: last }, (_, at) => at + 1))
  })

  it('reports a thread that the server does not show', () => {
    const { fake, client } = setUp()
    fake.goOnline()
    const onState = vi.fn()
    client.watchThread('thread_x', { onEvent: () => undefined, onState })
    fake.answer({ ok: false, reason: 'unknown' })
    expect(onState).toHaveBeenCalledExactlyOnceWith('unknown')
  })

  it('keeps the watch when the answer to it is empty', () => {
    const { fake, seen, states, watch } = setUp()
    fake.goOnline()
    watch()
    fake.answer(null as unknown as WatchReply)
    fake.send('turn-events', [event(1)])
    expect(seen).toEqual([1])
    expect(states).toEqual([])
  })

  it('leaves a thread when its last watch stops', () => {
    const { fake, seen, watch } = setUp()
    fake.goOnline()
    const leaveOne = watch()
    const leaveOther = watch()
    leaveOne()
    expect(fake.sent.some(({ name }) => name === 'thread-leave')).toBe(false)
    leaveOther()
    expect(fake.sent.filter(({ name }) => name === 'thread-leave')).toHaveLength(1)
    fake.send('turn-events', [event(1)])
    expect(seen).toEqual([])
  })

  it('is connecting, then online, then offline while it reconnects', () => {
    const { fake, client } = setUp()
    const states: ConnectionState[] = [client.state()]
    client.onStateChange((state) => states.push(state))
    fake.goOnline()
    fake.goOffline()
    fake.goOnline()
    expect(states).toEqual(['connecting', 'online', 'offline', 'online'])
  })

  it('stops reconnecting when the login is over', async () => {
    const { fake, client } = setUp(undefined, { state: 'signed-out' })
    fake.refuse()
    await vi.waitFor(() => expect(client.state()).toBe('signed-out'))
    expect(fake.raw.active).toBe(false)
    expect(fake.raw.connects).toBe(1)
  })

  it('reconnects by itself after the server has closed the socket', async () => {
    const { fake, client } = setUp()
    fake.goOnline()
    fake.goOffline('io server disconnect')
    await vi.waitFor(() => expect(fake.raw.connects).toBe(2))
    expect(client.state()).toBe('offline')
  })

  it('reconnects after a sign-in elsewhere', async () => {
    const login: { state: 'ok' | 'signed-out' } = { state: 'signed-out' }
    const { fake, client } = setUp(undefined, login)
    fake.refuse()
    await vi.waitFor(() => expect(client.state()).toBe('signed-out'))
    login.state = 'ok'
    client.reconnect()
    fake.goOnline()
    expect(client.state()).toBe('online')
  })

  it('signs out when an answer over HTTP says that the login is over', () => {
    const { fake, client } = setUp()
    fake.goOnline()
    client.reportSignedOut()
    expect(client.state()).toBe('signed-out')
    expect(fake.raw.connected).toBe(false)
  })

  it('delivers nothing after it is closed', () => {
    const { fake, client, seen, watch } = setUp()
    fake.goOnline()
    watch()
    client.close()
    fake.send('turn-events', [event(1)])
    expect(seen).toEqual([])
    expect(fake.listenerCount('connect') + fake.listenerCount('turn-events')).toBe(0)
  })

  it('waits longer after each refusal that the socket does not retry by itself', async () => {
    const { fake } = setUp()
    fake.goOnline()
    fake.goOffline('io server disconnect')
    for (let attempt = 2; attempt <= 4; attempt++) {
      await vi.waitFor(() => expect(fake.raw.connects).toBe(attempt))
      fake.refuse()
    }
  })
})

describe('a thread whose socket is refused', () => {
  /** A stream that gives some events and stays open until it is left. */
  const openStream = (given: readonly TurnEvent[]) => async (_after: number, signal: AbortSignal) =>
    (async function* () {
      yield* given
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })()

  it('is followed by server-sent events after the second refusal, when HTTP works', async () => {
    const { fake, seen, states, streams, watch } = setUp(undefined, { state: 'ok' }, openStream(events(3, 4)))
    watch(2)
    fake.refuse()
    await Promise.resolve()
    expect(streams).toEqual([])
    fake.refuse()
    await vi.waitFor(() => expect(seen).toEqual([3, 4]))
    expect(streams).toEqual([2])
    expect(states).toEqual(['offline', 'live'])
  })

  it('is not followed by server-sent events when HTTP does not work either', async () => {
    const { fake, streams, watch } = setUp(undefined, { state: 'unreachable' })
    watch()
    for (let refusal = 0; refusal < 5; refusal++) fake.refuse()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(streams).toEqual([])
  })

  it('returns to the socket without a gap or a repeat when the socket connects', async () => {
    const signals: AbortSignal[] = []
    const { fake, seen, watch } = setUp(undefined, { state: 'ok' }, (after, signal) => {
      signals.push(signal)
      return openStream(events(1, 2))(after, signal)
    })
    watch()
    fake.refuse()
    fake.refuse()
    await vi.waitFor(() => expect(seen).toEqual([1, 2]))
    fake.goOnline()
    expect(fake.watches()).toEqual([{ threadId: THREAD, after: 2 }])
    fake.answer({ ok: true, lastSeq: 3 })
    expect(signals[0]?.aborted).toBe(true)
    fake.send('turn-events', events(2, 3))
    expect(seen).toEqual([1, 2, 3])
  })

  it('continues by number when a stream breaks off', async () => {
    const { fake, seen, streams, watch } = setUp(undefined, { state: 'ok' }, async (after) =>
      (async function* () {
        yield* events(after + 1, after + 2)
        if (after < 4) throw new Error('cut')
        await new Promise(() => {})
      })(),
    )
    watch()
    fake.refuse()
    fake.refuse()
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4, 5, 6]))
    expect(streams).toEqual([0, 2, 4])
  })

  it('stays on its stream when a listener throws', async () => {
    const { fake, client, problems, streams } = setUp(
      undefined,
      { state: 'ok' },
      openStream([...events(1, 2), null as unknown as TurnEvent, event(3)]),
    )
    const got: number[] = []
    client.watchThread(THREAD, {
      onEvent({ seq }) {
        got.push(seq)
        throw new Error('broken listener')
      },
      onState() {
        throw new Error('broken state listener')
      },
    })
    fake.refuse()
    fake.refuse()
    await vi.waitFor(() => expect(got).toEqual([1, 2, 3]))
    expect(streams).toEqual([0])
    expect(problems).toHaveLength(5)
  })

  it('waits when the server asks for a pause that no timer can take', async () => {
    const { fake, client, streams, watch } = setUp(undefined, { state: 'ok' }, () =>
      Promise.reject(new ApiError({ code: 'rate_limited', message: '', retryAfterMs: 1e12 })),
    )
    onTestFinished(() => client.close())
    watch()
    fake.refuse()
    fake.refuse()
    await vi.waitFor(() => expect(streams).toEqual([0]))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(streams).toEqual([0])
  })

  it('is unknown when the stream says so', async () => {
    const { fake, states, watch } = setUp(undefined, { state: 'ok' }, () =>
      Promise.reject(new ApiError({ code: 'not_found', message: '' })),
    )
    watch()
    fake.refuse()
    fake.refuse()
    await vi.waitFor(() => expect(states).toEqual(['offline', 'unknown']))
  })

  it('has a stream of its own when the socket watches too many threads', async () => {
    const { fake, seen, watch } = setUp(undefined, { state: 'ok' }, openStream(events(1, 2)))
    fake.goOnline()
    watch()
    fake.answer({ ok: false, reason: 'too_many' })
    await vi.waitFor(() => expect(seen).toEqual([1, 2]))
  })
})
