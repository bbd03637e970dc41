import { describe, expect, it } from 'vitest'
import type { ModelPart, ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { Message } from '../turn/message/message.ts'
import {
  ScriptedModel,
  calls,
  callsMany,
  cuts,
  drips,
  empty,
  fails,
  malformedCall,
  says,
  stalls,
} from './scripted-model.ts'

const request = (messages: readonly Message[] = []): ModelRequest => ({
  system: 'Be brief.',
  messages,
  tools: [],
  media: { get: () => undefined, put: () => 'ref' },
  maxOutputTokens: 100,
})

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

async function partsOf(
  model: ScriptedModel,
  sent: ModelRequest = request(),
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  await model.stream(sent, signal, (part) => void parts.push(part))
  return parts
}

describe('ScriptedModel', () => {
  it('streams text in chunks and ends with a finish part that has usage', async () => {
    const parts = await partsOf(new ScriptedModel(says('Good morning', { chunk: 5, reasoning: 'hm' })))
    expect(parts.map((part) => ('delta' in part ? `${part.type}:${part.delta}` : part.type))).toEqual([
      'reasoning:hm',
      'block-end',
      'text:Good ',
      'text:morni',
      'text:ng',
      'block-end',
      'finish',
    ])
    expect(parts.at(-1)).toMatchObject({ reason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } })
  })

  it('never splits a character in drips', async () => {
    const parts = await partsOf(new ScriptedModel(drips('a👍é')))
    expect(parts.filter((part) => part.type === 'text').map((part) => part.delta)).toEqual(['a', '👍', 'é'])
  })

  it('gives each call a unique id', async () => {
    const model = new ScriptedModel(
      callsMany([{ tool: 'a', args: { x: 1 }, text: 'First' }, { tool: 'b' }]),
      calls('c', {}, { id: 'mine' }),
      malformedCall('d', '{"x":'),
    )
    const whole = []
    for (let n = 0; n < 3; n++) {
      for (const part of await partsOf(model)) if (part.type === 'call') whole.push(part)
    }
    expect(whole).toEqual([
      { type: 'call', id: 'call_1', tool: 'a', argumentsText: '{"x":1}' },
      { type: 'call', id: 'call_2', tool: 'b', argumentsText: '{}' },
      { type: 'call', id: 'mine', tool: 'c', argumentsText: '{}' },
      { type: 'call', id: 'call_3', tool: 'd', argumentsText: '{"x":' },
    ])
  })

  it('keeps each request as it was when it was sent', async () => {
    const history = [user('one')]
    const model = new ScriptedModel(says('1'), says('2'))
    await partsOf(model, request(history))
    history.push(user('two'))
    await partsOf(model, request(history))
    expect(model.requests).toBe(2)
    expect(model.request(0).messages).toEqual([user('one')])
    expect(model.request(1).messages).toEqual([user('one'), user('two')])
    expect(() => model.request(2)).toThrow('There was no model call 2')
  })

  it('passes the request to a step that is a function', async () => {
    const model = new ScriptedModel((sent, n) => says(`${sent.system} ${n}`, { chunk: 100 }))
    expect((await partsOf(model))[0]).toEqual({ type: 'text', delta: 'Be brief. 0' })
  })

  it('throws a plain error that names the call beyond the script', async () => {
    const model = new ScriptedModel(empty())
    await partsOf(model)
    const tooMany = partsOf(model, request([user('and now?')]))
    await expect(tooMany).rejects.toThrow(/model call 2, but there are 1 steps; .*"user": and now\?/)
    await expect(tooMany).rejects.not.toBeInstanceOf(ModelError)
  })

  it('fails with the usual facts of the given error', async () => {
    const model = ScriptedModel.with(
      { id: 'acme/one' },
      fails(429, { retryAfterMs: 1500 }),
      fails({ kind: 'refused' }),
      fails({}),
    )
    const facts = []
    for (let n = 0; n < 3; n++) {
      facts.push(
        await partsOf(model).catch((error: unknown) => (error instanceof ModelError ? error.facts : error)),
      )
    }
    expect(facts).toEqual([
      { kind: 'http', httpStatus: 429, retryAfterMs: 1500, retryable: true, model: 'acme/one' },
      { kind: 'refused', retryable: false, model: 'acme/one' },
      { kind: 'network', retryable: true, model: 'acme/one' },
    ])
  })

  it('ends without a finish part in cuts', async () => {
    const parts = await partsOf(new ScriptedModel(cuts([{ type: 'text', delta: 'Hel' }])))
    expect(parts).toEqual([{ type: 'text', delta: 'Hel' }])
  })

  it('stalls until aborted, then throws the reason', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const waiting = partsOf(new ScriptedModel(stalls([{ type: 'text', delta: 'a' }])), request(), stop.signal)
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  it('ignores an abort in stalls with ignoresAbort', async () => {
    const stop = new AbortController()
    const stream = new ScriptedModel(stalls([], { ignoresAbort: true })).stream(
      request(),
      stop.signal,
      () => {},
    )
    let settled = false
    const mark = (): void => void (settled = true)
    void stream.then(mark, mark)
    stop.abort()
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
  })
})
