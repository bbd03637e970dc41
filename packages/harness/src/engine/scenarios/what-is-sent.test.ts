import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import { calls, createTestClock, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'

const clockTool = stubTool('clock', () => '12:00')

describe('a model request', () => {
  it('begins with all of the previous request', async () => {
    const prefixes: unknown[] = []
    const model = new ScriptedModel(calls('clock'), says('Noon.'), calls('clock'), says('Still noon.'))
    const session = createSession({
      model,
      instructions: 'Be kind.',
      tools: [clockTool],
      observers: [{ requestPrepared: (_run, { broken }) => void prefixes.push(broken) }],
    })
    await session.send('time?')
    await session.send('and now?')
    for (let n = 1; n < model.requests; n++) {
      const before = model.request(n - 1)
      const request = model.request(n)
      expect(request.messages.slice(0, before.messages.length)).toEqual(before.messages)
      expect(request.system).toBe('Be kind.')
      expect(request.tools).toEqual(before.tools)
    }
    expect(prefixes).toEqual([undefined, undefined, undefined, undefined])
  })

  it('carries the date on the user’s message and never in the prompt, which must not change overnight', async () => {
    const clock = createTestClock(Date.UTC(2026, 1, 28, 23))
    const model = new ScriptedModel(says('Saturday.'), says('Sunday.'))
    const session = createSession({ model, clock, instructions: 'Be kind.' })
    await session.send('which day?')
    await clock.advance(2 * 3_600_000)
    await session.send('and now?')
    const [first, , second] = model.request(1).messages
    expect(first).toMatchObject({ role: 'user', preface: '[Today is Saturday, 2026-02-28 (UTC).]' })
    expect(second).toMatchObject({ role: 'user', preface: '[Today is Sunday, 2026-03-01 (UTC).]' })
    expect(textOf(first!)).toBe('which day?')
    expect(model.request(1).system).toBe(model.request(0).system)
    expect(model.request(0).system).not.toContain('2026')
  })

  it('has the preface set by the caller, or none', async () => {
    const model = new ScriptedModel(says('a'), says('b'))
    await runStateless({ model, input: 'hi', preface: () => '[You know Ada.]' })
    await runStateless({ model, input: 'hi', preface: false })
    expect(model.request(0).messages[0]).toMatchObject({ preface: '[You know Ada.]' })
    expect(model.request(1).messages[0]).not.toHaveProperty('preface')
  })

  it('passes temperature, output limit and provider options unchanged', async () => {
    const model = new ScriptedModel(says('ok'))
    const providerOptions = { openai: { effort: 'low' } }
    await runStateless({
      model,
      input: 'hi',
      modelOptions: { temperature: 0, maxOutputTokens: 99, providerOptions },
    })
    expect(model.request(0)).toMatchObject({ temperature: 0, maxOutputTokens: 99, providerOptions })
  })

  it('allows sixteen thousand output tokens by default', async () => {
    const model = new ScriptedModel(says('ok'))
    await runStateless({ model, input: 'hi' })
    expect(model.request(0)).toMatchObject({ maxOutputTokens: 16_384 })
    expect(model.request(0)).not.toHaveProperty('temperature')
  })
})
