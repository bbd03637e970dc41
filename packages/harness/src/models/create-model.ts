import { ConfigurationError } from '../turn/errors.ts'
import type { ProviderExtras } from '../turn/message/message.ts'
import { lazyAiSdk } from './ai-sdk-model.ts'
import type { AiSdkModel, AiSdkModelOptions } from './ai-sdk-model.ts'
import { mergeExtras } from './merge-extras.ts'
import { ollamaAddress, splitAddress } from './model-address.ts'
import type { ModelClient } from './model-client.ts'

/** Options for a model by name. */
export interface CreateModelOptions extends Omit<AiSdkModelOptions, 'id'> {
  /** Replaces the key in the environment. */
  readonly apiKey?: string
  /** Replaces the provider's address. */
  readonly baseURL?: string
  readonly fetch?: typeof globalThis.fetch
  /** Further settings of the provider's package. */
  readonly sdkOptions?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string | undefined>>
}

interface Settings {
  readonly apiKey?: string
  readonly baseURL?: string
  readonly fetch?: typeof globalThis.fetch
}

interface Provider {
  readonly keyVariable: string
  /** Loaded with the first request, so that importing the harness stays fast. */
  readonly load: (model: string, settings: Settings) => Promise<AiSdkModel>
  readonly providerOptions?: ProviderExtras
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    keyVariable: 'OPENAI_API_KEY',
    load: async (model, settings) => (await import('@ai-sdk/openai')).createOpenAI(settings)(model),
    // The provider stores nothing: reasoning is returned encrypted, so a thread can continue at any time.
    providerOptions: { openai: { store: false } },
  },
  anthropic: {
    keyVariable: 'ANTHROPIC_API_KEY',
    load: async (model, settings) => (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model),
    // Without it, the constant prefix is charged in full each time.
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  google: {
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    load: async (model, settings) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model),
  },
}

const FORMS =
  'openai/<model>, anthropic/<model>, google/<model>, ollama/<model>, or the address of any OpenAI-compatible ' +
  'server with the model behind a #, such as http://localhost:8000/v1#llama'

/**
 * A model by its name, such as `openai/gpt-5`, `ollama/llama4` or `http://localhost:8000/v1#qwen`. Throws
 * `ConfigurationError` for an unknown form of name or a missing key. Makes no request before the first call.
 */
export function createModel(name: string, options: CreateModelOptions = {}): ModelClient {
  const env = options.env ?? process.env
  if (/^https?:\/\//.test(name)) {
    const { baseURL, model } = splitAddress(name)
    const apiKey = options.apiKey ?? env['CAPSTAN_MODEL_API_KEY']
    return compatible(name, model, { ...options, apiKey, baseURL: options.baseURL ?? baseURL })
  }
  const slash = name.indexOf('/')
  const model = name.slice(slash + 1)
  const providerName = name.slice(0, Math.max(0, slash))
  if (model === '' || (providerName !== 'ollama' && !Object.hasOwn(PROVIDERS, providerName))) {
    throw new ConfigurationError('model', `"${name}" names no model that is known here; write ${FORMS}`)
  }
  if (providerName === 'ollama') {
    return compatible(name, model, {
      ...options,
      baseURL: options.baseURL ?? ollamaAddress(env['OLLAMA_HOST']),
    })
  }
  const provider = PROVIDERS[providerName]!
  const apiKey = options.apiKey ?? env[provider.keyVariable]
  if (!apiKey) {
    throw new ConfigurationError(provider.keyVariable, `is not set, and ${name} needs it`)
  }
  const { abilities, prices, baseURL, fetch, sdkOptions } = options
  const providerOptions = mergeExtras(provider.providerOptions ?? {}, options.providerOptions)
  const settings = { ...sdkOptions, apiKey, baseURL, fetch }
  return lazyAiSdk(() => provider.load(model, settings), { id: name, abilities, prices, providerOptions })
}

function compatible(
  id: string,
  model: string,
  options: CreateModelOptions & { baseURL: string },
): ModelClient {
  const { apiKey, baseURL, fetch, sdkOptions, abilities, prices, providerOptions } = options
  const load = async (): Promise<AiSdkModel> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    // Without includeUsage a streamed reply counts no tokens.
    return createOpenAICompatible({
      name: 'compatible',
      includeUsage: true,
      ...sdkOptions,
      apiKey,
      baseURL,
      fetch,
    })(model)
  }
  return lazyAiSdk(load, { id, abilities, prices, providerOptions })
}
