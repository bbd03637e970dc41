import { describe, expect, it } from 'vitest'
import { setImmediate as tick } from 'node:timers/promises'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import type { Guard } from '../../guards/guard.ts'
import { createIdenticalFailingCallGuard } from '../../guards/rules/identical-failing-call.ts'
import {
  calls,
  callsMany,
  findUnpairedCalls,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'

const broken = stubTool('open', () => fail('no such page', { httpStatus: 404 }))
const asks = (times: number) => Array.from({ length: times }, () => calls('open', { page: 7 }))

describe('a turn that makes no progress', () => {
  it('gets a nudge one step before the halt, then halts with an answer', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...asks(3))
    const session = createSession({ model, tools: [broken], onEvent: events.onEvent })
    const outcome = await session.send('open page 7')
    expect(outcome).toMatchObject({
      type: 'halted',
      guard: 'identical-failing-call',
      tool: 'open',
      count: 3,
      failure: { class: 'not_found' },
      iterations: 3,
    })
    expect(outcome.text).toContain('no such page')
    const [nudge] = events.of('guard-nudge')
    expect(nudge).toMatchObject({ iteration: 2, guard: 'identical-failing-call' })
    expect(textOf(model.request(2).messages.at(-1)!)).toBe(nudge!.text)
    expect(model.request(2).messages.at(-1)).toMatchObject({ role: 'notice' })
    expect(session.messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: outcome.text }] })
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('is not halted for a transient failure before the eighth time', async () => {
    const busy = stubTool('open', () => fail('come back later', { httpStatus: 503 }))
    const model = new ScriptedModel(...asks(7), says('I gave up.'))
    const guards = () => [createIdenticalFailingCallGuard()]
    expect(await runStateless({ model, tools: [busy], guards, input: 'go' })).toMatchObject({ type: 'done' })
  })

  it('skips the rest of its batch after the halt', async () => {
    let sent = 0
    const page = { tool: 'open', args: { page: 7 } }
    const model = new ScriptedModel(callsMany([page, page, page, { tool: 'send' }]))
    const session = createSession({
      model,
      tools: [{ ...broken, effect: 'write' }, stubTool('send', () => ++sent, { effect: 'write' })],
    })
    expect(await session.send('go')).toMatchObject({ type: 'halted' })
    expect(sent).toBe(0)
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('starts its counts at zero in the next turn', async () => {
    const model = new ScriptedModel(...asks(2), says('Sorry.'), ...asks(2), says('Sorry again.'))
    const session = createSession({ model, tools: [broken] })
    expect(await session.send('one')).toMatchObject({ type: 'done' })
    expect(await session.send('two')).toMatchObject({ type: 'done' })
  })

  it('is not halted when guards are turned off', async () => {
    const model = new ScriptedModel(...asks(9), says('At last.'))
    const outcome = await runStateless({ model, tools: [broken], guards: () => [], input: 'go' })
    expect(outcome).toMatchObject({ type: 'done', text: 'At last.' })
  })

  it('shows results to a guard in the order asked, with what the tool declared', async () => {
    const seen: string[] = []
    const guard: Guard = {
      name: 'watching',
      beforeCalls: ({ calls: asked }) => void seen.push(`asked ${asked.map(({ tool }) => tool).join(' ')}`),
      afterCall: ({ call, result, polls }) => void seen.push(`${call.tool} ${result.ok} ${polls}`),
    }
    const slow = stubTool('slow', async () => {
      await tick()
      await tick()
    })
    const model = new ScriptedModel(
      callsMany([{ tool: 'slow' }, { tool: 'poll' }, { tool: 'open' }]),
      says('ok'),
    )
    await runStateless({
      model,
      tools: [slow, stubTool('poll', () => 'later', { polls: true }), broken],
      guards: () => [guard],
      input: 'go',
    })
    expect(seen).toEqual(['asked slow poll open', 'slow true false', 'poll true true', 'open false false'])
  })
})
