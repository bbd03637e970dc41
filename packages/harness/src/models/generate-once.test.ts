import { describe, expect, it } from 'vitest'
import { cuts, empty, fails, raw, says, SCRIPTED_USAGE, ScriptedModel, stalls } from '../testing/index.ts'
import { ModelError } from '../turn/errors.ts'
import { textOf } from '../turn/message/message.ts'
import { generateOnce, createAsker } from './generate-once.ts'

const ask = (model: ScriptedModel, signal = new AbortController().signal) =>
  generateOnce(model, {
    system: 'Be brief.',
    prompt: 'What is it?',
    signal,
    maxOutputTokens: 100,
    temperature: 0.2,
  })

describe('generateOnce', () => {
  it('sends no tools, and returns the answer with its usage', async () => {
    const model = new ScriptedModel(says('  A boat. ', { reasoning: 'It floats.', chunk: 2 }))
    expect(await ask(model)).toEqual({ text: 'A boat.', usage: SCRIPTED_USAGE })
    expect(model.request(0)).toMatchObject({
      system: 'Be brief.',
      tools: [],
      maxOutputTokens: 100,
      temperature: 0.2,
    })
    expect(model.request(0).messages.map(textOf)).toEqual(['What is it?'])
  })

  it.each([
    ['breaks off', cuts([{ type: 'text', delta: 'A bo' }]), 'cut', true],
    ['is blank', empty(), 'malformed', true],
    [
      'is withheld',
      raw([{ type: 'finish', reason: 'content-filter', usage: SCRIPTED_USAGE }]),
      'refused',
      false,
    ],
    ['is an error', fails(503), 'http', true],
  ] as const)('fails like a model when the answer %s', async (_how, step, kind, retryable) => {
    const failure = await ask(new ScriptedModel(step)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect((failure as ModelError).facts).toMatchObject({ kind, retryable, model: 'scripted/model' })
  })

  it('stops on abort, also with a model that ignores the signal', async () => {
    for (const ignoresAbort of [false, true]) {
      const controller = new AbortController()
      const answer = ask(new ScriptedModel(stalls([], { ignoresAbort })), controller.signal)
      controller.abort(new Error('enough'))
      await expect(answer).rejects.toThrow('enough')
    }
  })

  it('sends nothing when it was aborted before', async () => {
    const model = new ScriptedModel(says('no'))
    await expect(ask(model, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
    expect(model.requests).toBe(0)
  })

  it('can be wrapped for code that knows no model', async () => {
    const asker = createAsker(
      ScriptedModel.with({ id: 'a/b', abilities: { contextWindow: 8_000 } }, says('Yes.')),
    )
    expect(asker).toMatchObject({ model: 'a/b', contextWindow: 8_000 })
    const { signal } = new AbortController()
    expect((await asker.ask({ system: '', prompt: 'Is it?', signal, maxOutputTokens: 10 })).text).toBe('Yes.')
  })
})
