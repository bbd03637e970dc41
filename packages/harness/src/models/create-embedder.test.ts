import { describe, expect, it } from 'vitest'
import { startProviderServer } from '../testing/provider-server.ts'
import { ConfigurationError } from '../turn/errors.ts'
import { createEmbedder } from './create-embedder.ts'
import { fromAiSdkEmbedding } from './embedder.ts'
import type { AiSdkEmbeddingModel } from './embedder.ts'

const { signal } = new AbortController()

const answers = (...bodies: readonly unknown[]) =>
  startProviderServer(
    ...bodies.map((body) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify(body)],
      ending: 'end' as const,
    })),
  )
const twoVectors = {
  data: [
    { embedding: [1, 2], index: 0 },
    { embedding: [3, 4], index: 1 },
  ],
}

describe('createEmbedder', () => {
  it('asks any OpenAI-compatible server by its address, and Ollama, which cost nothing', async () => {
    await using server = await answers({ ...twoVectors, usage: { prompt_tokens: 7 } }, twoVectors)
    const name = `${server.url}/v1#bge-m3`
    const embedder = createEmbedder(name, { env: { CAPSTAN_MODEL_API_KEY: 'secret' } })
    expect(embedder.id).toBe(name)
    expect(await embedder.embed(['a', 'b'], signal)).toMatchObject({
      vectors: [
        [1, 2],
        [3, 4],
      ],
      usage: { inputTokens: 7, estimatedUsd: 0 },
    })
    const local = createEmbedder('ollama/nomic-embed-text', { env: { OLLAMA_HOST: server.url } })
    // It counted no tokens.
    expect((await local.embed(['four', 'eight chars'], signal)).usage).toMatchObject({
      inputTokens: 4,
      estimated: true,
    })
    expect(server.requests).toMatchObject([
      { path: '/v1/embeddings', headers: { authorization: 'Bearer secret' }, body: { model: 'bge-m3' } },
      { path: '/v1/embeddings', body: { model: 'nomic-embed-text', input: ['four', 'eight chars'] } },
    ])
  })

  it.each([
    ['openai/text-embedding-3-small', 'OPENAI_API_KEY'],
    ['google/gemini-embedding-001', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('names the missing key for %s at once', (name, field) => {
    expect(() => createEmbedder(name, { env: {} })).toThrow(expect.objectContaining({ field }))
    expect(createEmbedder(name, { env: { [field]: 'key' } }).id).toBe(name)
  })

  it.each(['anthropic/claude', 'bge-m3', 'openai/', '', 'http://localhost:8000/v1'])(
    'refuses the name %j',
    (name) => {
      expect(() => createEmbedder(name, { env: {} })).toThrow(ConfigurationError)
    },
  )
})

describe('fromAiSdkEmbedding', () => {
  const modelWith = (embeddings: number[][], version: 'v3' | 'v4' = 'v4') =>
    ({
      specificationVersion: version,
      provider: 'openai.embedding',
      modelId: 'text-embedding-3-small',
      maxEmbeddingsPerCall: 2_048,
      supportsParallelCalls: true,
      doEmbed: async () => ({ embeddings, usage: { tokens: 1_000_000 }, warnings: [] }),
    }) as AiSdkEmbeddingModel

  it.each(['v3', 'v4'] as const)('takes a model of version %s, and knows its price', async (version) => {
    const embedder = fromAiSdkEmbedding(modelWith([[1]], version))
    expect(embedder.id).toBe('openai/text-embedding-3-small')
    expect(await embedder.maxTexts()).toBe(64)
    expect((await embedder.embed(['a'], signal)).usage.estimatedUsd).toBeCloseTo(0.02)
  })

  it('refuses a model of another version', () => {
    const old = { ...modelWith([[1]]), specificationVersion: 'v2' } as unknown as AiSdkEmbeddingModel
    expect(() => fromAiSdkEmbedding(old)).toThrow(ConfigurationError)
  })

  it.each([
    ['too few vectors', [[1]]],
    ['vectors of different lengths', [[1], [1, 2]]],
    ['numbers that are none', [[1], [Number.NaN]]],
  ])('rejects an answer with %s', async (_what, embeddings) => {
    await expect(fromAiSdkEmbedding(modelWith(embeddings)).embed(['a', 'b'], signal)).rejects.toMatchObject({
      name: 'ModelError',
      facts: { kind: 'malformed' },
    })
  })
})
