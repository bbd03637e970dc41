import { describe, expect, it } from 'vitest'
import { chatReply, messagesReply, startProviderServer } from '../testing/provider-server.ts'
import { deltasOf, readParts, requestOf } from '../testing/read-model.ts'
import { ConfigurationError } from '../turn/errors.ts'
import { createModel } from './create-model.ts'

describe('createModel', () => {
  it.each([
    ['openai/gpt-6-sol', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-5', 'ANTHROPIC_API_KEY'],
    ['google/gemini-4-argon', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('names the missing key for %s at once', (name, field) => {
    expect(() => createModel(name, { env: {} })).toThrow(ConfigurationError)
    expect(() => createModel(name, { env: {} })).toThrow(expect.objectContaining({ field }))
    expect(createModel(name, { env: { [field]: 'key' } }).id).toBe(name)
    expect(createModel(name, { env: {}, apiKey: 'key' }).abilities.contextWindow).toBeGreaterThan(
      1_000_000 - 1,
    )
  })

  it.each(['gpt-6', 'mistral/large', 'openai/', '/gpt', '', 'constructor/x'])(
    'lists the accepted forms for %j, which names no model',
    (name) => {
      expect(() => createModel(name, { env: {} })).toThrow(/openai\/<model>.*ollama\/<model>.*#/)
    },
  )

  it.each(['http://localhost:8000/v1', 'http://localhost:8000/v1#', 'http://#m'])(
    'requests the model in %s',
    (name) => {
      expect(() => createModel(name)).toThrow(/behind a #/)
    },
  )

  it('connects to any OpenAI-compatible server by its address, with or without a key', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Hi' }), chatReply({ text: 'Hi' }))
    const name = `${server.url}/v1#qwen`
    const model = createModel(name, { env: { CAPSTAN_MODEL_API_KEY: 'secret' } })
    expect(model.id).toBe(name)
    const parts = await readParts(model)
    expect(deltasOf(parts, 'text')).toBe('Hi')
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: 20, outputTokens: 8, estimatedUsd: 0 } })
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer secret' },
      body: { model: 'qwen', stream_options: { include_usage: true } },
    })
    await readParts(createModel(name, { env: {} }))
    expect(server.requests[1]?.headers.authorization).toBeUndefined()
  })

  it('finds Ollama at OLLAMA_HOST, in any spelling', async () => {
    await using server = await startProviderServer(
      ...Array.from({ length: 3 }, () => chatReply({ text: 'Hi' })),
    )
    const port = new URL(server.url).port
    for (const host of [server.url, `127.0.0.1:${port}`, `0.0.0.0:${port}/v1/`]) {
      await readParts(createModel('ollama/llama4', { env: { OLLAMA_HOST: host } }))
    }
    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/chat/completions'))
    expect(() => createModel('ollama/llama4', { env: { OLLAMA_HOST: 'a b' } })).toThrow(/OLLAMA_HOST/)
  })

  it('finds Ollama on this machine by default', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = (url) => {
      asked.push(url instanceof Request ? url.url : url.toString())
      return Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') }))
    }
    await expect(readParts(createModel('ollama/llama4', { env: {}, fetch }))).rejects.toThrow()
    expect(asked).toEqual(['http://127.0.0.1:11434/v1/chat/completions'])
  })

  it('asks Anthropic to cache the prefix, unless a request says otherwise', async () => {
    await using server = await startProviderServer(
      messagesReply({ text: 'Hi' }),
      messagesReply({ text: 'Hi' }),
    )
    const model = createModel('anthropic/claude-sonnet-5', { apiKey: 'secret', baseURL: `${server.url}/v1` })
    await readParts(model)
    expect(server.requests[0]).toMatchObject({
      headers: { 'x-api-key': 'secret' },
      body: { model: 'claude-sonnet-5', cache_control: { type: 'ephemeral' } },
    })
    const anthropic = { cacheControl: { type: 'ephemeral', ttl: '1h' }, disableParallelToolUse: true }
    await readParts(model, requestOf(undefined, { providerOptions: { anthropic } }))
    expect(server.requests[1]?.body).toMatchObject({ cache_control: { type: 'ephemeral', ttl: '1h' } })
  })

  it('stores nothing at OpenAI, and gets its reasoning back encrypted', async () => {
    let body: unknown
    const fetch: typeof globalThis.fetch = (_, init) => {
      body = JSON.parse(typeof init?.body === 'string' ? init.body : '')
      return Promise.resolve(Response.json({ error: { message: 'Enough', code: 'enough' } }, { status: 400 }))
    }
    await expect(readParts(createModel('openai/gpt-6-sol', { apiKey: 'key', fetch }))).rejects.toThrow()
    expect(body).toMatchObject({ model: 'gpt-6-sol', store: false, include: ['reasoning.encrypted_content'] })
  })
})
