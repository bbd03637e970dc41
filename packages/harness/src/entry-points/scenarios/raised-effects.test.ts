import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { ALLOW_ALL, calls, callsMany, says, stubTool } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { agent, delegate } from './delegation.fixture.ts'
import { start, THREAD } from './restarts.fixture.ts'

/** Reads with the arguments as they are sent, and writes with the default of its schema. */
const sync = (run: () => unknown = () => 'synced') =>
  stubTool('sync', run, {
    input: {
      type: 'object',
      properties: { n: { type: 'integer' }, direction: { type: 'string', default: 'up' } },
    },
    effect: ({ direction }) => (direction === 'up' ? 'write' : 'read'),
    destinations: [],
  })

describe('a call whose effect a default has raised', () => {
  it('is recorded as what it was allowed as', async () => {
    const store = createMemoryStore()
    const { session } = await start(store, [calls('sync'), says('Synced.')], {
      tools: [sync()],
      safety: ALLOW_ALL,
    })
    await session.send('Sync.')
    const results = (await store.ledger.read(THREAD)).filter(({ type }) => type === 'call-result')
    expect(results).toMatchObject([{ effect: 'write', audit: { effect: 'write' } }])
  })

  it('of a sub-agent is told to its parent', async () => {
    const { session, model } = await start(
      createMemoryStore(),
      [delegate('worker'), calls('sync'), calls('sync', { n: 1 }), says('So far.'), says('Done.')],
      { tools: [sync()], agents: [agent('worker', { maxIterations: 2 })], safety: ALLOW_ALL },
    )
    await session.send('Sync.')
    const told = model.request(4).messages.findLast(({ role }) => role === 'tool')
    expect(textOf(told!)).toContain('It did this, and it stays done: sync (2 times).')
  })

  it('does not run beside another call', async () => {
    let running = 0
    const most: number[] = []
    const tool = sync(async () => {
      most.push(++running)
      await new Promise((resolve) => void setImmediate(resolve))
      running--
      return 'synced'
    })
    const both = callsMany([
      { tool: 'sync', args: { n: 1 } },
      { tool: 'sync', args: { n: 2 } },
    ])
    const { session } = await start(createMemoryStore(), [both, says('Synced.')], {
      tools: [tool],
      safety: ALLOW_ALL,
    })
    await session.send('Sync.')
    expect(most).toEqual([1, 1])
  })
})
