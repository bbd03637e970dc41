import { expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { ToolRule } from '../../tool-path/policy.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1'

function start(store: Store, model: ScriptedModel, run: () => unknown, rules: readonly ToolRule[]) {
  const events = recordEvents()
  const pay = stubTool('pay', run, { effect: 'write', honoursKey: true })
  const safety = { mode: 'full', rules } as const
  const agent = { model, tools: [pay], safety, origin: 'web' } as const
  return { threads: createThreads({ store, agent, onEvent: events.onEvent }), events }
}

/** A process that has ended while it paid. */
async function endWhilePaying(): Promise<Store> {
  const store = createMemoryStore()
  const paying = Promise.withResolvers<void>()
  const pay = () => {
    paying.resolve()
    return new Promise<never>(() => {})
  }
  const { threads } = start(store, new ScriptedModel(calls('pay', {})), pay, [])
  await threads.create({ id: THREAD })
  await (await threads.open(THREAD)).submit('Pay.')
  await paying.promise
  await threads.stop({ graceMs: 0 })
  return store
}

it.each<ToolRule['decision']>(['deny', 'ask'])(
  'a write that had been started and may be repeated is interrupted when it is refused now (%s)',
  async (decision) => {
    const store = await endWhilePaying()
    const never = () => expect.unreachable('it runs')
    const { threads, events } = start(store, new ScriptedModel(says('End.')), never, [
      { tool: 'pay', decision },
    ])
    await threads.resume()
    await threads.idle()
    for (const { id } of await threads.pendingApprovals()) await threads.answer(id, 'deny')
    await threads.idle()
    expect(events.of('tool-end').at(-1)).toMatchObject({ ok: false, failure: { class: 'interrupted' } })
    expect(events.of('turn-end').at(-1)!.outcome.openCalls).toMatchObject([{ tool: 'pay' }])
  },
)

it('a write that had been started and may be repeated is interrupted when the turn is stopped first', async () => {
  const store = await endWhilePaying()
  const never = () => expect.unreachable('it runs')
  const { threads, events } = start(store, new ScriptedModel(), never, [{ tool: 'pay', decision: 'ask' }])
  await threads.resume()
  await threads.idle()
  ;(await threads.open(THREAD)).stop()
  await threads.idle()
  expect(events.of('tool-end').at(-1)).toMatchObject({ ok: false, failure: { class: 'interrupted' } })
})
