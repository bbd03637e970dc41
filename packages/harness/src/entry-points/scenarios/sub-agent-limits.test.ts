import { setImmediate as tick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  calls,
  callsMany,
  createTestClock,
  findUnpairedCalls,
  finish,
  handMadeModel,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
  text,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import type { Effect } from '../../turn/tool/tool.ts'
import { createSession } from '../session/session.ts'
import { runStateless } from '../stateless-loop.ts'
import { agent, delegate, resultsIn } from './delegation.fixture.ts'

describe('the effects of a sub-agent', () => {
  const acting = (effect: Effect, ran: string[]) => stubTool(effect, () => void ran.push(effect), { effect })
  /** The effects a child can have when its parent and it have these ceilings. */
  const reach = async (parent: Effect, child?: Effect) => {
    const ran: string[] = []
    const effects = ['read', 'write', 'admin'] as const
    const model = new ScriptedModel(
      delegate('scout'),
      callsMany(effects.map((tool) => ({ tool }))),
      says('ok'),
      says('ok'),
    )
    const events = recordEvents()
    await runStateless({
      model,
      tools: effects.map((effect) => acting(effect, ran)),
      agents: [agent('scout', child ? { effectCeiling: child } : {})],
      effectCeiling: parent,
      safety: { rules: [{ tool: '*', decision: 'allow' }] },
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.of('turn-start')).toHaveLength(2)
    for (const event of events.of('tool-end')) {
      if (!event.ok) expect(event.failure?.class).toBe('blocked_by_policy')
    }
    return ran
  }

  it.each([
    ['admin', undefined, ['read', 'write', 'admin']],
    ['admin', 'write', ['read', 'write']],
    ['admin', 'read', ['read']],
    ['write', 'admin', ['read', 'write']],
    ['write', undefined, ['read', 'write']],
    ['read', 'admin', ['read']],
    ['read', undefined, ['read']],
    ['read', 'write', ['read']],
  ] as const)(
    'below a parent with ceiling %s, and with its own ceiling %s, are %s',
    async (parent, child, ran) => {
      expect(await reach(parent, child)).toEqual(ran)
    },
  )

  it('are limited for a grandchild by the ceiling of its parent', async () => {
    const ran: string[] = []
    const middle = agent('middle', {
      effectCeiling: 'read',
      agents: [agent('deep', { effectCeiling: 'admin' })],
    })
    const model = new ScriptedModel(
      delegate('middle'),
      delegate('deep'),
      calls('write'),
      says('a'),
      says('b'),
      says('c'),
    )
    await runStateless({ model, tools: [acting('write', ran)], agents: [middle], input: 'go' })
    expect(ran).toEqual([])
  })
})

describe('the budget of a sub-agent', () => {
  it('is half of its parent’s remaining budget, and the unused part returns to the parent', async () => {
    const limits: unknown[] = []
    const look = stubTool('look', (_args, { run }) => void limits.push(run.budget.limits.tokens))
    const model = new ScriptedModel(delegate('scout'), calls('look'), says('ok'), calls('look'), says('ok'))
    await runStateless({
      model,
      tools: [look],
      agents: [agent('scout')],
      budget: { tokens: 1_015 },
      input: 'go',
    })
    expect(limits).toEqual([500, 1_015])
  })

  it('may be smaller than its share, and the parent goes on when it is used up', async () => {
    const model = new ScriptedModel(
      delegate('scout'),
      calls('look', { n: 1 }),
      calls('look', { n: 2 }),
      says('The scout ran out.'),
    )
    const outcome = await runStateless({
      model,
      tools: [stubTool('look')],
      agents: [agent('scout', { budget: { iterations: 2 } })],
      input: 'go',
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'The scout ran out.' })
    expect(resultsIn(model.request(3))[0]).toContain('did NOT finish')
  })

  it('ends with its parent’s wall-clock budget, and the parent reports the cap', async () => {
    const clock = createTestClock()
    const model = new ScriptedModel(delegate('scout'), stalls())
    const turn = runStateless({
      model,
      clock,
      agents: [agent('scout')],
      budget: { wallClockMs: 1_000 },
      input: 'go',
    })
    await clock.waiting()
    await clock.advance(7_000)
    expect(await turn).toMatchObject({ type: 'failed', cap: { kind: 'wall-clock' } })
  })
})

describe('several sub-agents of one reply', () => {
  /** A model that answers `scout`s only after a release, and counts concurrent requests. */
  function crowd(count: number) {
    const state = { running: 0, most: 0 }
    const waiting: (() => void)[] = []
    let asked = false
    const model = handMadeModel(async function* (request) {
      if (request.system.startsWith('You are scout.')) {
        state.most = Math.max(state.most, ++state.running)
        await new Promise<void>((resolve) => waiting.push(resolve))
        state.running--
        yield text(`answer to ${textOf(request.messages[0]!)}`)
      } else if (asked) yield text(resultsIn(request).join(', '))
      else {
        asked = true
        for (let n = 0; n < count; n++) {
          yield { type: 'call', id: `c${n}`, tool: 'delegate_to_scout', argumentsText: `{"prompt":"${n}"}` }
        }
      }
      yield finish
    })
    const release = async () => {
      await tick()
      while (waiting.length > 0) {
        waiting.pop()!()
        for (let n = 0; n < 5; n++) await tick()
      }
    }
    return { model, state, release }
  }

  it('that only read run in parallel, at most four, and answer in the order of the calls', async () => {
    const { model, state, release } = crowd(6)
    const turn = runStateless({ model, agents: [agent('scout', { effectCeiling: 'read' })], input: 'go' })
    await release()
    const outcome = await turn
    expect(outcome.text).toBe([0, 1, 2, 3, 4, 5].map((n) => `answer to ${n}`).join(', '))
    expect(state.most).toBe(4)
  })

  it('that may write run one after another', async () => {
    const { model, state, release } = crowd(3)
    const turn = runStateless({ model, agents: [agent('scout')], input: 'go' })
    await release()
    await turn
    expect(state.most).toBe(1)
  })
})

describe('a sub-agent that is stopped', () => {
  it('ends before its parent, even when its tool ignores the stop', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const model = new ScriptedModel(delegate('scout'), calls('hang'))
    const hangs = Promise.withResolvers<void>()
    const hang = stubTool('hang', () => {
      hangs.resolve()
      return new Promise<never>(() => {})
    })
    const session = createSession({
      model,
      clock,
      tools: [hang],
      agents: [agent('scout')],
      onEvent: events.onEvent,
    })
    const turn = session.send('go')
    await hangs.promise
    session.stop()
    await clock.advance(999) // before its parent would abandon it
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(events.of('turn-end').map(({ outcome }) => outcome.type)).toEqual(['aborted', 'aborted'])
    const depths = events
      .of('turn-end')
      .map(({ runId }) => events.of('turn-start').findIndex((start) => start.runId === runId))
    expect(depths).toEqual([1, 0])
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end' })
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('while it waits for a slot is not started', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const many = callsMany(
      Array.from({ length: 6 }, (_, n) => ({ tool: 'delegate_to_scout', args: { prompt: `${n}` } })),
    )
    const model = new ScriptedModel(many, ...Array.from({ length: 6 }, () => stalls()))
    const session = createSession({
      model,
      clock,
      agents: [agent('scout', { effectCeiling: 'read' })],
      onEvent: events.onEvent,
    })
    const turn = session.send('go')
    await clock.waiting()
    session.stop()
    await clock.advance(2_000)
    expect(await turn).toMatchObject({ type: 'aborted' })
    await clock.advance(1)
    expect(events.of('turn-start')).toHaveLength(1 + 4)
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end', runId: events.all[0]!.runId })
  })
})
