import type { PolicyFunction, SafetyOptions, Session } from '@capstan/harness'
import type { PolicyCall, PolicyContext } from '@capstan/harness/seams'
import { ConfigurationError } from '@capstan/harness'
import { createMemoryApprovals, createMemoryStore } from '@capstan/harness/stores'
import { createSession, createThreads, defineTool, runStateless } from '@capstan/harness'
import {
  calls,
  callsMany,
  createTestClock,
  recordEvents,
  says,
  ScriptedModel,
} from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'

const ran: string[] = []
const tool = (name: string, effect: 'read' | 'write' | 'admin') =>
  defineTool({
    name,
    description: name,
    effect,
    input: { type: 'object', properties: { to: { type: 'string' } } },
    run: (args) => {
      ran.push(name)
      return `${name} ${typeof args['to'] === 'string' ? args['to'] : ''}`.trim()
    },
  })
const TOOLS = [tool('look', 'read'), tool('send', 'write'), tool('wipe', 'admin')]

/** Runs one call in a session and gives back what the model read of it. */
async function callOnce(name: string, safety: SafetyOptions): Promise<{ text: string; ok: boolean }> {
  ran.length = 0
  const model = new ScriptedModel(calls(name, { to: 'ada' }), says('ok'))
  const session = createSession({ model, tools: TOOLS, origin: 'web', safety })
  expect(await session.send('go')).toMatchObject({ type: 'done' })
  const result = model.request(1).messages.findLast((message) => message.role === 'tool')!
  return { text: result.text, ok: result.ok }
}

describe('a policy function', () => {
  it('gets the call with its effect, the caller, and the decision of the settings', async () => {
    const seen: [PolicyCall, PolicyContext][] = []
    const policy: PolicyFunction = (call, context) => (seen.push([call, context]), 'allow')
    await callOnce('send', { policy })
    const [[call, context]] = seen as [[PolicyCall, PolicyContext]]
    expect(call).toEqual({ tool: 'send', arguments: { to: 'ada' }, effect: 'write' })
    expect(context).toMatchObject({ agent: 'session', depth: 0, origin: 'web', decision: 'ask' })
  })

  it.each(['send', 'wipe'])('that allows %s lets it run without a person', async (name) => {
    expect(
      await callOnce(name, { policy: async ({ effect }) => (effect === 'read' ? 'deny' : 'allow') }),
    ).toEqual({ ok: true, text: `${name} ada` })
  })

  it('that denies refuses a call that the settings allow', async () => {
    const result = await callOnce('send', { mode: 'full', policy: () => 'deny' })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('policy of this program') })
    expect(ran).toEqual([])
  })

  it('that returns the decision of the settings changes nothing', async () => {
    const policy: PolicyFunction = (_, { decision }) => decision
    expect(await callOnce('look', { policy })).toMatchObject({ ok: true })
    expect(await callOnce('send', { policy })).toMatchObject({ ok: false })
    expect(ran).toEqual([])
  })

  it.each([
    ['mode read-only', 'send', { mode: 'read-only' }],
    ['a deny rule', 'look', { rules: [{ tool: 'look', decision: 'deny' }] }],
    ['an ask rule', 'send', { mode: 'full', rules: [{ tool: 'send', decision: 'ask' }] }],
  ] as [string, string, SafetyOptions][])(
    'that allows everything cannot overrule %s',
    async (_, name, safety) => {
      expect(await callOnce(name, { ...safety, policy: () => 'allow' })).toMatchObject({ ok: false })
      expect(ran).toEqual([])
    },
  )

  it.each([
    [
      'throws',
      () => {
        throw new Error('no rules loaded')
      },
      'no rules loaded',
    ],
    ['rejects', () => Promise.reject(new Error('offline')), 'offline'],
    ['answers with nothing', () => undefined, 'no decision'],
    ['answers with true', () => true, 'no decision'],
    ['answers with another word', () => 'yes', 'no decision'],
  ] as [string, () => unknown, string][])('that %s refuses the call and says why', async (_, answer, why) => {
    const result = await callOnce('look', { mode: 'full', policy: answer as PolicyFunction })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining(why) })
    expect(ran).toEqual([])
  })

  it('that never answers refuses the call at the tool timeout', async () => {
    ran.length = 0
    const clock = createTestClock()
    const model = new ScriptedModel(calls('look'), says('ok'))
    const events = recordEvents()
    const started = events.next('tool-start')
    const outcome = runStateless({
      model,
      tools: TOOLS,
      clock,
      input: 'go',
      limits: { tools: { timeoutMs: 5_000 } },
      safety: { policy: () => new Promise<never>(() => {}) },
      onEvent: events.onEvent,
    })
    await started
    await clock.advance(5_000)
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([])
  })

  it('that is still pending when the turn is stopped runs nothing', async () => {
    ran.length = 0
    const session: Session = createSession({
      model: new ScriptedModel(calls('send')),
      tools: TOOLS,
      safety: { policy: () => (session.stop(), new Promise<never>(() => {})) },
    })
    expect(await session.send('go')).toMatchObject({ type: 'aborted' })
    expect(ran).toEqual([])
  })

  it('cannot change the arguments that run', async () => {
    const policy: PolicyFunction = (call) => (((call.arguments as { to: string }).to = 'eve'), 'allow')
    expect(await callOnce('send', { policy })).toEqual({ ok: true, text: 'send ada' })
  })

  it('decides about the calls of sub-agents', async () => {
    ran.length = 0
    const seen: string[] = []
    const outcome = await runStateless({
      model: new ScriptedModel(
        calls('delegate_to_scout', { prompt: 'send it' }),
        calls('send'),
        says('refused'),
        says('ok'),
      ),
      tools: TOOLS,
      agents: [{ id: 'scout', description: 'Scouts.', instructions: 'You scout.' }],
      input: 'go',
      safety: {
        mode: 'full',
        policy: ({ tool: name }, { agent, depth }) => {
          seen.push(`${agent} ${depth} ${name}`)
          return depth > 0 ? 'deny' : 'allow'
        },
      },
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'ok' })
    expect(seen).toEqual(['stateless 0 delegate_to_scout', 'scout 1 send'])
    expect(ran).toEqual([])
  })

  it('that is not a function is refused when the session is created', () => {
    const safety = { policy: 'allow' } as unknown as SafetyOptions
    expect(() => createSession({ model: new ScriptedModel(), safety })).toThrow(ConfigurationError)
  })
})

describe('a policy function that returns ask', () => {
  const askAboutReads: PolicyFunction = ({ effect }) => (effect === 'read' ? 'ask' : 'allow')

  it('for two reads of one reply asks a person about both, one after the other', async () => {
    ran.length = 0
    const approvals = createMemoryApprovals()
    const events = recordEvents()
    const session = createSession({
      model: new ScriptedModel(
        callsMany([{ tool: 'look' }, { tool: 'look', args: { to: 'b' } }]),
        says('ok'),
      ),
      tools: TOOLS,
      origin: 'web',
      safety: { approvals, policy: askAboutReads },
      onEvent: (event) => {
        if (event.type === 'approval-request')
          queueMicrotask(() => approvals.answer(event.approvalId, 'allow-once'))
        return events.onEvent(event)
      },
    })
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    expect(events.of('approval-request')).toHaveLength(2)
    expect(ran).toEqual(['look', 'look'])
  })

  it('for two reads of one reply parks the turn for one answer at a time', async () => {
    ran.length = 0
    const store = createMemoryStore()
    const events = recordEvents()
    const threads = createThreads({
      store,
      onEvent: events.onEvent,
      agent: {
        model: new ScriptedModel(
          callsMany([{ tool: 'look' }, { tool: 'look', args: { to: 'b' } }]),
          says('ok'),
        ),
        tools: TOOLS,
        origin: 'web',
        safety: { policy: askAboutReads },
      },
    })
    const { id } = await threads.create()
    const { outcome } = await (await threads.open(id)).submit('go')
    for (const expected of [1, 2]) {
      await threads.idle()
      expect(events.of('approval-request')).toHaveLength(expected)
      const [pending] = await threads.pendingApprovals()
      await threads.answer(pending!.id, 'allow-once')
    }
    expect(await outcome).toMatchObject({ type: 'done', text: 'ok' })
    expect(ran).toEqual(['look', 'look'])
  })

  it("and allow after the wait does not overrule the person's refusal", async () => {
    ran.length = 0
    let answer: 'ask' | 'allow' = 'ask'
    const threads = createThreads({
      store: createMemoryStore(),
      agent: {
        model: new ScriptedModel(calls('send'), says('ok')),
        tools: TOOLS,
        origin: 'web',
        safety: { policy: () => answer },
      },
    })
    const { id } = await threads.create()
    const { outcome } = await (await threads.open(id)).submit('go')
    await threads.idle()
    answer = 'allow'
    const [pending] = await threads.pendingApprovals()
    await threads.answer(pending!.id, 'deny')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(ran).toEqual([])
  })
})

describe('a policy function that throws an error whose message cannot be read', () => {
  it('refuses the call at once', async () => {
    const odd = new Error('odd')
    Object.defineProperty(odd, 'message', {
      get() {
        throw new Error('unreadable')
      },
    })
    const clock = createTestClock()
    ran.length = 0
    const model = new ScriptedModel(calls('look', {}), says('ok'))
    const policy: PolicyFunction = () => {
      throw odd
    }
    const session = createSession({ model, tools: TOOLS, clock, safety: { policy } })
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    const result = model.request(1).messages.findLast((message) => message.role === 'tool')!
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('the policy function failed') })
    expect(ran).toEqual([])
  })
})
