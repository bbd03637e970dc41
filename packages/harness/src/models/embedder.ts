import type { EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import { NO_USAGE } from '@capstan/protocol'
import type { Usage } from '@capstan/protocol'
import { ConfigurationError, ModelError } from '../turn/errors.ts'
import { embeddingPriceOf } from './embedding-prices.ts'
import { toModelError } from './to-model-error.ts'

/** Turns texts into vectors: those of texts that mean similar things are close. */
export interface Embedder {
  /** `provider/model`. Vectors of embedders with different ids are never compared. */
  readonly id: string
  /** The most texts of one request. */
  maxTexts(): Promise<number>
  /** One vector for each text, all of the same dimensions. Rejects with a `ModelError`; never retries. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>
}

/** What came of a request to an embedder. */
export interface Embedded {
  readonly vectors: readonly (readonly number[])[]
  /** Without money where the price is not known. */
  readonly usage: Usage
}

/** An embedding model of the AI SDK, in either version of its interface. */
export type AiSdkEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3

/** How to use an embedding model of the AI SDK. */
export interface EmbedderOptions {
  /** Defaults to `provider/model`. The price is looked up by it. */
  readonly id?: string
  /** USD per million tokens. */
  readonly price?: number
}

const USUAL_MAX_TEXTS = 64
const CHARS_PER_TOKEN = 4

/** An embedder for any embedding model of the AI SDK. */
export function fromAiSdkEmbedding(model: AiSdkEmbeddingModel, options: EmbedderOptions = {}): Embedder {
  const version: string = model.specificationVersion
  if (version !== 'v3' && version !== 'v4')
    throw new ConfigurationError(
      'embedder',
      `needs AI SDK specification v3 or v4, and this one has ${version}`,
    )
  const provider = model.provider.split('.')[0] ?? model.provider
  return lazyEmbedder(() => model, { ...options, id: options.id ?? `${provider}/${model.modelId}` })
}

/** Like `fromAiSdkEmbedding`, for a model whose package is loaded at the first request. */
export function lazyEmbedder(
  load: () => AiSdkEmbeddingModel | Promise<AiSdkEmbeddingModel>,
  { id, price = embeddingPriceOf(id) }: EmbedderOptions & { readonly id: string },
): Embedder {
  let loaded: AiSdkEmbeddingModel | undefined
  return {
    id,
    async maxTexts() {
      loaded ??= await load()
      return Math.max(1, Math.min(USUAL_MAX_TEXTS, (await loaded.maxEmbeddingsPerCall) ?? USUAL_MAX_TEXTS))
    },
    async embed(texts, signal) {
      try {
        loaded ??= await load()
        signal.throwIfAborted()
        const answer = await loaded.doEmbed({ values: [...texts], abortSignal: signal })
        checkVectors(answer.embeddings, texts.length, id)
        return { vectors: answer.embeddings, usage: toEmbeddingUsage(answer.usage?.tokens, texts, price) }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw toModelError(error, id, 'request')
      }
    },
  }
}

function checkVectors(vectors: readonly (readonly number[])[], count: number, model: string): void {
  const [first] = vectors
  const isRight = (vector: readonly number[]): boolean =>
    vector.length > 0 && vector.length === first?.length && vector.every(Number.isFinite)
  if (vectors.length === count && vectors.every(isRight)) return
  throw new ModelError(`${model}: answered with something else than ${count} vectors`, {
    kind: 'malformed',
    model,
    retryable: true,
  })
}

function toEmbeddingUsage(counted: number | undefined, texts: readonly string[], price: number): Usage {
  // Some servers count nothing.
  const isCounted = counted !== undefined && Number.isFinite(counted) && counted > 0
  const inputTokens = isCounted
    ? counted
    : texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARS_PER_TOKEN), 0)
  return {
    ...NO_USAGE,
    inputTokens,
    estimatedUsd: (inputTokens * price) / 1_000_000,
    ...(!isCounted && { estimated: true }),
  }
}
