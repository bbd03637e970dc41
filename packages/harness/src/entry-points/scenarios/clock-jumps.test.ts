import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { Step } from '../../testing/scripted-model.ts'
import { calls, says, ScriptedModel } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import type { AgentOptions } from '../agent-options.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1' as ThreadId
const DAY_MS = 86_400_000

/** A clock whose time of day jumps, as when it is set by hand, while its timers run as usual. */
function createJumpingClock() {
  const clock = createTestClock()
  let offset = 0
  return { ...clock, now: () => clock.now() + offset, jump: (ms: number) => void (offset += ms) }
}

async function start(steps: readonly Step[], more: Partial<AgentOptions>) {
  const store = createMemoryStore()
  const clock = createJumpingClock()
  const model = new ScriptedModel(...steps)
  const events = recordEvents()
  const create = () =>
    createThreads({ store, clock, onEvent: events.onEvent, agent: { model, origin: 'web', ...more } })
  const threads = create()
  await threads.create({ id: THREAD })
  return { store, clock, events, threads, create, session: await threads.open(THREAD) }
}

describe('a clock jump during a turn', () => {
  const jumps = [DAY_MS, -DAY_MS, -60_000]

  it.each(jumps)('by %d ms keeps the events in order and the durations correct', async (jump) => {
    const look = stubTool('look', async () => {
      clock.jump(jump)
      await clock.advance(250)
      return 'a page'
    })
    const { session, store, clock, events } = await start(
      [calls('look', { n: 1 }), calls('look', { n: 2 }), says('Read.')],
      { tools: [look] },
    )
    expect(await session.send('Read.')).toMatchObject({ type: 'done', text: 'Read.' })
    expect(events.all.map(({ seq }) => seq)).toEqual(events.all.map((_, index) => index + 1))
    expect(events.of('tool-end').map(({ durationMs }) => durationMs)).toEqual([250, 250])
    expect(await store.ledger.readEvents(THREAD, 0)).toEqual(events.all)
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it.each(jumps)('by %d ms does not move a tool deadline', async (jump) => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const hang = stubTool('hang', () => (begin(), new Promise<never>(() => {})), { timeoutMs: 1_000 })
    const { session, store, clock, events } = await start([calls('hang', {}), says('It hangs.')], {
      tools: [hang],
      limits: { tools: { graceMs: 0 } },
    })
    const outcome = session.send('Try.')
    await begun
    clock.jump(jump)
    await clock.advance(900)
    expect(events.of('tool-end')).toEqual([])
    await clock.advance(200)
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(events.of('tool-end')).toMatchObject([{ ok: false, failure: { class: 'timeout' } }])
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it.each(jumps)('by %d ms does not change the wall-clock budget', async (jump) => {
    const slow = stubTool('slow', async () => {
      clock.jump(jump)
      await clock.advance(400)
      return 'done'
    })
    const budget = { wallClockMs: 1_000 }
    const steps = [1, 2, 3, 4].map((n) => calls('slow', { n }))
    const { session, clock } = await start(steps, { tools: [slow], budget })
    expect(await session.send('Go.')).toMatchObject({
      cap: { kind: 'wall-clock', limit: 1_000 },
      iterations: 3,
    })
  })

  it.each([-DAY_MS, -60_000])(
    'by %d ms leaves an open approval open, and its answer resumes the turn after a restart',
    async (jump) => {
      const send = stubTool('send', () => 'sent', { effect: 'write' })
      const { session, store, clock, events, create } = await start([calls('send', {}), says('Sent.')], {
        tools: [send],
      })
      const asked = events.next('approval-request')
      await session.submit('Send it.')
      const { approvalId } = await asked
      clock.jump(jump)
      await clock.advance(1_000)
      const next = create()
      expect(await next.resume()).toEqual({ running: 0, waiting: 1 })
      expect(await next.answer(approvalId, 'allow-once')).toBe('accepted')
      await next.idle()
      expect(events.of('turn-end').at(-1)?.outcome).toMatchObject({ type: 'done', text: 'Sent.' })
      expect(await checkInvariants(store, [THREAD])).toEqual([])
    },
  )

  it('beyond the expiry of an approval expires it, and the turn goes on without it', async () => {
    const send = stubTool('send', () => expect.unreachable(), { effect: 'write' })
    const { session, store, clock, events, threads } = await start(
      [calls('send', {}), says('Nobody said yes.')],
      {
        tools: [send],
      },
    )
    const asked = events.next('approval-request')
    const { outcome } = await session.submit('Send it.')
    const { approvalId } = await asked
    clock.jump(30 * DAY_MS)
    expect(await threads.answer(approvalId, 'allow-once')).toBe('expired')
    expect(await outcome).toMatchObject({ type: 'done', text: 'Nobody said yes.' })
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })
})
