import { ConfigurationError } from '../turn/errors.ts'
import { lazyEmbedder } from './embedder.ts'
import type { AiSdkEmbeddingModel, Embedder } from './embedder.ts'
import { ollamaAddress, splitAddress } from './model-address.ts'

/** Options for an embedding model by name. */
export interface CreateEmbedderOptions {
  /** Replaces the key in the environment. */
  readonly apiKey?: string
  /** USD per million tokens, where it is not known here. */
  readonly price?: number
  readonly fetch?: typeof globalThis.fetch
  readonly env?: Readonly<Record<string, string | undefined>>
}

interface Settings {
  readonly apiKey: string
  readonly fetch?: typeof globalThis.fetch
}

interface Provider {
  readonly keyVariable: string
  /** Loaded with the first request. */
  readonly load: (model: string, settings: Settings) => Promise<AiSdkEmbeddingModel>
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    keyVariable: 'OPENAI_API_KEY',
    load: async (model, settings) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings).embeddingModel(model),
  },
  google: {
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    load: async (model, settings) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).embeddingModel(model),
  },
}

const FORMS =
  'openai/<model>, google/<model>, ollama/<model>, or the address of any OpenAI-compatible server with the model behind ' +
  'a #, such as http://localhost:8000/v1#bge-m3'

/**
 * An embedding model by its name, such as `openai/text-embedding-3-small`, `ollama/nomic-embed-text` or
 * `http://localhost:8000/v1#bge-m3`. Throws `ConfigurationError` for an unknown form of name or a missing key. Makes no
 * request before the first call.
 */
export function createEmbedder(name: string, options: CreateEmbedderOptions = {}): Embedder {
  const { env = process.env, price, fetch } = options
  const known = { id: name, ...(price !== undefined && { price }) }
  if (/^https?:\/\//.test(name)) {
    const address = splitAddress(name)
    return lazyEmbedder(compatible(address, options.apiKey ?? env['CAPSTAN_MODEL_API_KEY'], fetch), known)
  }
  const slash = name.indexOf('/')
  const providerName = name.slice(0, Math.max(0, slash))
  const model = name.slice(slash + 1)
  if (providerName === 'anthropic')
    throw new ConfigurationError('embeddingModel', `Anthropic has no embedding models; write ${FORMS}`)
  if (model === '' || (providerName !== 'ollama' && !Object.hasOwn(PROVIDERS, providerName)))
    throw new ConfigurationError(
      'embeddingModel',
      `"${name}" names no embedding model that is known here; write ${FORMS}`,
    )
  if (providerName === 'ollama') {
    const baseURL = ollamaAddress(env['OLLAMA_HOST'])
    return lazyEmbedder(compatible({ baseURL, model }, options.apiKey, fetch), known)
  }
  const provider = PROVIDERS[providerName]!
  const apiKey = options.apiKey ?? env[provider.keyVariable]
  if (!apiKey) throw new ConfigurationError(provider.keyVariable, `is not set, and ${name} needs it`)
  return lazyEmbedder(() => provider.load(model, { apiKey, ...(fetch && { fetch }) }), known)
}

const compatible =
  (
    { baseURL, model }: { readonly baseURL: string; readonly model: string },
    apiKey: string | undefined,
    fetch: typeof globalThis.fetch | undefined,
  ) =>
  async (): Promise<AiSdkEmbeddingModel> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({
      name: 'compatible',
      baseURL,
      ...(apiKey && { apiKey }),
      ...(fetch && { fetch }),
    }).embeddingModel(model)
  }
