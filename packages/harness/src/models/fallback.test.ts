import { describe, expect, it } from 'vitest'
import { deltasOf, readFailure, readParts, requestOf } from '../testing/read-model.ts'
import { ScriptedModel, fails, says, stalls } from '../testing/scripted-model.ts'
import { withFallback } from './fallback.ts'

describe('withFallback', () => {
  it.each([fails(500), fails({ kind: 'network' }), fails(401), fails(402), fails(404), fails(429)])(
    'calls the next model when one is unavailable or refuses the key',
    async (failure) => {
      const second = new ScriptedModel(says('Here I am'))
      const model = withFallback(new ScriptedModel(failure), second)
      expect(deltasOf(await readParts(model), 'text')).toBe('Here I am')
      expect(second.request(0)).toEqual(requestOf(undefined, { media: second.request(0).media }))
    },
  )

  it.each([fails(400), fails(413), fails({ kind: 'refused' }), fails({ kind: 'unsupported' })])(
    'does not send an invalid request to the next model',
    async (failure) => {
      const second = new ScriptedModel(says('No'))
      await readFailure(withFallback(new ScriptedModel(failure), second))
      expect(second.requests).toBe(0)
    },
  )

  it('does not switch models once a part was streamed', async () => {
    const second = new ScriptedModel(says('No'))
    const first = new ScriptedModel(fails(500, { after: [{ type: 'text', delta: 'Hel' }] }))
    const { parts } = await readFailure(withFallback(first, second))
    expect(deltasOf(parts, 'text')).toBe('Hel')
    expect(second.requests).toBe(0)
  })

  it('does not treat an abort as a failure', async () => {
    const stop = new AbortController()
    const second = new ScriptedModel(says('No'))
    const reading = readParts(withFallback(new ScriptedModel(stalls()), second), requestOf(), stop.signal)
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect(second.requests).toBe(0)
  })

  it('lets a bug rise', async () => {
    const second = new ScriptedModel(says('No'))
    await expect(readParts(withFallback(new ScriptedModel(), second))).rejects.toThrow('The script ran out')
  })

  it('fails with the error of the last model', async () => {
    const model = withFallback(new ScriptedModel(fails(503)), new ScriptedModel(fails(401)))
    expect((await readFailure(model)).facts.httpStatus).toBe(401)
  })

  it('starts each request with the first model', async () => {
    const first = new ScriptedModel(fails(500), says('Back'))
    const model = withFallback(first, new ScriptedModel(says('Meanwhile')))
    expect(deltasOf(await readParts(model), 'text')).toBe('Meanwhile')
    expect(deltasOf(await readParts(model), 'text')).toBe('Back')
  })

  it('promises only what all models support', () => {
    const pdf = 'application/pdf'
    const model = withFallback(
      ScriptedModel.with({ id: 'a/a', abilities: { files: [pdf, 'audio/wav'], contextWindow: 200_000 } }),
      ScriptedModel.with({ id: 'b/b', abilities: { images: false, files: [pdf], contextWindow: 8000 } }),
      ScriptedModel.with({ id: 'c/c', abilities: { files: [pdf] } }),
    )
    expect(model.id).toBe('a/a')
    expect(model.abilities).toEqual({
      tools: true,
      images: false,
      files: [pdf],
      mediaInResults: false,
      structuredOutput: false,
      contextWindow: 8000,
    })
  })
})
