import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import type { SubmitMode } from '../session/message-intake.ts'
import { createThreads } from '../threads/threads.ts'
import { killAfterCommit } from './killable-store.fixture.ts'

const THREAD = 'thread_1' as ThreadId
const MODES: readonly SubmitMode[] = ['send', 'steer', 'follow-up', 'interrupt']

/** A process; `read` waits until the test opens it. */
async function start(inner: Store, steps: readonly Step[], commits?: number) {
  const killable = killAfterCommit(inner, commits)
  const { store, killed } = killable
  const kill = () => killable.kill()
  const events = recordEvents()
  const reading = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<string>()
  const read = stubTool('read', () => {
    reading.resolve()
    return gate.promise
  })
  const model = new ScriptedModel(...steps)
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    agent: { model, origin: 'web', tools: [read] },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  const open = () => gate.resolve('read')
  return { threads, session, events, model, reading: reading.promise, open, kill, killed }
}

/** The turns of the thread. */
const turnsOf = async (store: Store) =>
  (await store.ledger.read(THREAD)).filter(({ type }) => type === 'run-start').length

describe('a message id', () => {
  it.each(MODES.flatMap((first) => MODES.map((again) => [first, again] as const)))(
    'of a message sent as %s is known after a restart, when it comes again as %s',
    async (first, again) => {
      const store = createMemoryStore()
      const before = await start(store, [calls('read', {}), says('One.'), says('Two.')])
      const isStart = first === 'send' || first === 'interrupt'
      await before.session.submit('go', isStart ? { mode: first, messageId: 'm1' } : {})
      await before.reading
      if (!isStart) await before.session.submit('more', { mode: first, messageId: 'm1' })
      before.open()
      await before.threads.idle()
      const turns = await turnsOf(store)
      before.kill()

      const next = await start(store, [says('Again.')])
      await next.threads.resume()
      await next.threads.idle()
      const taken = await next.session.submit('more', { mode: again, messageId: 'm1' })
      await next.threads.idle()
      expect(await taken.delivery).toMatchObject({ delivered: true })
      expect(await turnsOf(store)).toBe(turns)
    },
  )

  it.each(['steer', 'follow-up'] as const)(
    'of a %s that was accepted is known after a kill at any commit',
    async (mode) => {
      for (let commits = 1; commits < 12; commits++) {
        const store = createMemoryStore()
        const before = await start(store, [calls('read', {}), says('One.'), says('Two.')], commits)
        let isAccepted = false
        const work = (async () => {
          await before.session.submit('go', { messageId: 'm0' })
          await before.reading
          await before.session.submit('more', { mode, messageId: 'm1' })
          isAccepted = true
          before.open()
          await before.threads.idle()
        })()
        await Promise.race([work, before.killed])
        before.kill()
        if (!isAccepted) continue

        const next = await start(store, [says('A.'), says('B.'), says('C.')])
        next.open()
        await next.threads.resume()
        await next.session.submit('more', { mode: 'steer', messageId: 'm1' })
        await next.threads.idle()
        await next.session.submit('more', { mode: 'send', messageId: 'm1' })
        await next.threads.idle()
        const messages = (await store.ledger.read(THREAD)).filter(
          (record) =>
            record.type === 'message' &&
            record.message.role === 'user' &&
            JSON.stringify(record.message).includes('more'),
        )
        expect([commits, messages.length]).toEqual([commits, 1])
        expect(await turnsOf(store)).toBeLessThanOrEqual(2)
      }
    },
  )

  it('is in the event of the turn that the message started, or that took it', async () => {
    const { session, threads, reading, open, events } = await start(createMemoryStore(), [
      calls('read', {}),
      says('One.'),
      says('Two.'),
    ])
    const { runId } = await session.submit('go', { messageId: 'm0' })
    await reading
    await session.submit('more', { mode: 'steer', messageId: 'm1' })
    await session.submit('next', { mode: 'follow-up', messageId: 'm2' })
    open()
    await threads.idle()
    const starts = events.of('turn-start').map((event) => [event.runId, event.messageId])
    const again = await session.submit('next', { messageId: 'm2' })
    expect(starts).toEqual([
      [runId, 'm0'],
      [again.runId, 'm2'],
    ])
    expect(events.of('message-deliver')).toMatchObject([{ runId, messageId: 'm1' }])
  })
})
