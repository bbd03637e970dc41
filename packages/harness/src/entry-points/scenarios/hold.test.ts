import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { HeldError } from '../../turn/errors.ts'
import { createThreads } from '../threads/threads.ts'

const HELPER: AgentDefinition = { id: 'helper', description: 'Helps.', instructions: 'You help.' }

/** Threads whose tool `wait` runs until its turn is stopped. */
function start(store: Store, ...steps: Step[]) {
  const events = recordEvents()
  const started: string[] = []
  const sent: unknown[] = []
  const model = new ScriptedModel(...steps)
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    onProblem: (error) => expect.unreachable(String(error)),
    agent: {
      model,
      origin: 'web',
      agents: [HELPER],
      tools: [
        stubTool('wait', (_, { signal }) => {
          started.push('wait')
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')))
          })
        }),
        stubTool('send', (args) => void sent.push(args), { effect: 'write' }),
      ],
    },
  })
  return { threads, events, started, sent, model }
}

describe('a hold', () => {
  it('stops every running turn, sub-agents included, and refuses messages until it is released', async () => {
    const { threads, events, model } = start(
      createMemoryStore(),
      calls('delegate_to_helper', { prompt: 'wait' }),
      calls('wait'),
      says('After the release.'),
    )
    const waiting = new Promise<void>((resolve) => {
      const look = () =>
        events.of('tool-start').some(({ tool }) => tool === 'wait') ? resolve() : setImmediate(look)
      look()
    })
    const { id } = await threads.create()
    const session = await threads.open(id)
    const { outcome } = await session.submit('Go.')
    await waiting
    await threads.hold()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(events.of('turn-end').map(({ outcome: end }) => end.type)).toEqual(['aborted', 'aborted'])
    await expect(session.send('More.')).rejects.toThrow(HeldError)
    await expect(session.steer('More.')).rejects.toThrow(HeldError)
    await expect(session.interrupt('More.')).rejects.toThrow(HeldError)
    await expect(threads.create()).rejects.toThrow(HeldError)
    expect(model.requests).toBe(2)
    await threads.release()
    expect(await session.send('And now?')).toMatchObject({ type: 'done', text: 'After the release.' })
  })

  it('leaves a parked turn parked; an answer given meanwhile counts after the release', async () => {
    const { threads, events, sent } = start(createMemoryStore(), calls('send', { to: 'ada' }), says('Sent.'))
    const { id } = await threads.create()
    const session = await threads.open(id)
    const asked = events.next('approval-request')
    const { outcome } = await session.submit('Send it.')
    const { approvalId } = await asked
    await threads.idle() // it is parked
    await threads.hold()
    expect(await threads.answer(approvalId, 'allow-once')).toBe('accepted')
    await threads.idle()
    expect(sent).toEqual([])
    expect(events.of('turn-end')).toEqual([])
    await threads.release()
    expect(await outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    expect(sent).toEqual([{ to: 'ada' }])
  })

  it('that is set before the start keeps interrupted turns and queued messages for the release', async () => {
    const store = createMemoryStore()
    const before = start(store, calls('send', { to: 'ada' }))
    const { id } = await before.threads.create()
    const asked = before.events.next('approval-request')
    await (await before.threads.open(id)).submit('Send it.')
    const { approvalId } = await asked
    await before.threads.stop({ graceMs: 0 })
    await store.approvals.answer(approvalId, 'allow-once', Date.now())

    const after = start(store, says('Sent.'))
    await after.threads.hold()
    expect(await after.threads.resume()).toEqual({ running: 0, waiting: 1 })
    await after.threads.idle()
    expect(after.sent).toEqual([])
    const ended = after.events.next('turn-end')
    await after.threads.release()
    expect((await ended).outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    expect(after.sent).toEqual([{ to: 'ada' }])
  })

  it('that comes while a turn starts either stops the turn or refuses it', async () => {
    for (let delay = 0; delay < 12; delay++) {
      const { threads, events } = start(createMemoryStore(), calls('wait'))
      const { id } = await threads.create()
      const session = await threads.open(id)
      const sending = session.send('Go.').catch((error: unknown) => error)
      for (let tick = 0; tick < delay; tick++) await Promise.resolve()
      await threads.hold()
      const result = await sending
      if (!(result instanceof HeldError)) expect(result).toMatchObject({ type: 'aborted' })
      expect(session.state).toBe('idle')
      expect(events.of('turn-start').length).toBe(events.of('turn-end').length)
    }
  })
})
