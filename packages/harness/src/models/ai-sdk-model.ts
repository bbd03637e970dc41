import type { LanguageModelV3, LanguageModelV4, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { ConfigurationError, ModelError } from '../turn/errors.ts'
import type { ProviderExtras } from '../turn/message.ts'
import type { ModelAbilities, ModelClient, ModelRequest, OnPart } from './model-client.ts'
import { mergeExtras } from './merge-extras.ts'
import { abilitiesOf } from './model-catalogue.ts'
import type { ToolChoice } from '../turn/model-options.ts'
import { PartTranslator } from './part-translator.ts'
import type { ProviderPart } from './part-translator.ts'
import { pricesOf } from './prices.ts'
import type { Prices } from './prices.ts'
import { toModelError } from './to-model-error.ts'
import { toPromptV3, toPromptV4 } from './to-prompt.ts'
import { toProviderTools } from './to-provider-tools.ts'
import { toResponseFormat } from './to-response-format.ts'

export type AiSdkModel = LanguageModelV4 | LanguageModelV3

export interface AiSdkModelOptions {
  /** Defaults to `provider/model`. Prices and abilities are looked up by it. */
  readonly id?: string
  readonly abilities?: Partial<ModelAbilities>
  readonly prices?: Prices
  /** Sent with every request; what a request says of itself wins. */
  readonly providerOptions?: ProviderExtras
}

/** Any model of the AI SDK as a model client. Retries nothing and sets no timers: that is the engine's work. */
export function fromAiSdk(model: AiSdkModel, options: AiSdkModelOptions = {}): ModelClient {
  const version: string = model.specificationVersion
  if (version !== 'v3' && version !== 'v4') {
    throw new ConfigurationError('model', `needs AI SDK specification v3 or v4, and this one has ${version}`)
  }
  const provider = model.provider.split('.')[0] ?? model.provider
  // Chat completions write what stands in a tool's result as text.
  const chat = model.provider.endsWith('.chat') ? { mediaInResults: false } : undefined
  return lazyAiSdk(() => model, {
    ...options,
    abilities: { ...chat, ...options.abilities },
    id: options.id ?? `${provider}/${model.modelId}`,
  })
}

/** The same for a model whose package is loaded with its first request. */
export function lazyAiSdk(
  load: () => AiSdkModel | Promise<AiSdkModel>,
  options: AiSdkModelOptions & { readonly id: string },
): ModelClient {
  const { id, providerOptions } = options
  const prices = options.prices ?? pricesOf(id)
  let loaded: AiSdkModel | undefined
  const abilities = { ...abilitiesOf(id), ...options.abilities }
  return {
    id,
    abilities,
    async stream(request, signal, onPart) {
      loaded ??= await load()
      const sent = providerOptions
        ? { ...request, providerOptions: mergeExtras(providerOptions, request.providerOptions) }
        : request
      return streamFrom(loaded, { request: sent, abilities }, signal, new PartTranslator(id, prices), onPart)
    },
  }
}

/** A request, and what the model can look at. */
interface Sent {
  readonly request: ModelRequest
  readonly abilities: ModelAbilities
}

async function streamFrom(
  model: AiSdkModel,
  sent: Sent,
  signal: AbortSignal,
  translator: PartTranslator,
  onPart: OnPart,
): Promise<void> {
  const { out, model: id } = translator
  const open = prepare(model, sent, signal)
  signal.throwIfAborted()
  let reader: ReadableStreamDefaultReader<ProviderPart> | undefined
  let end: 'open' | 'finished' | 'closed' = 'open'
  let delivering = false
  // Ends a pending read at once, even of a model that does not listen to the signal.
  const stop = (): void => void reader?.cancel(signal.reason).catch(ignore)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const answer = await open()
    reader = answer.stream.getReader()
    signal.throwIfAborted()
    refusePage(answer.response?.headers, id)
    while (end === 'open') {
      const { done, value } = await reader.read()
      if (done) break
      const goesOn = value.type === 'text-delta' && translator.goesOn(value)
      if (!goesOn) translator.take(value)
      delivering = true
      if (goesOn) {
        const slow = onPart({ type: 'text', delta: value.delta })
        if (slow) await slow
      }
      for (let n = 0; n < out.length; n++) {
        const part = out[n]!
        if (part.type === 'finish') end = 'finished'
        const slow = onPart(part)
        if (slow) await slow
      }
      delivering = false
      out.length = 0
    }
    if (end === 'finished') return
    end = 'closed'
    signal.throwIfAborted()
    throw new ModelError(`${id}: the stream ended early`, { kind: 'cut', model: id, retryable: true })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (delivering) throw error // not the model's fault
    throw toModelError(error, id, reader ? 'stream' : 'request')
  } finally {
    signal.removeEventListener('abort', stop)
    // Read to its end, a connection serves the next request; cancelled, it is closed.
    if (end === 'finished') void drain(reader)
    else if (end === 'open') void reader?.cancel().catch(ignore)
  }
}

/** Converts first, outside of what counts as the provider's failures: a tool that cannot be described is a bug. */
function prepare(
  model: AiSdkModel,
  { request, abilities }: Sent,
  abortSignal: AbortSignal,
): () => PromiseLike<{
  readonly stream: ReadableStream<ProviderPart>
  readonly response?: { readonly headers?: Readonly<Record<string, string>> }
}> {
  const { maxOutputTokens, temperature, headers, reasoning, outputSchema } = request
  const form = outputSchema && toResponseFormat(outputSchema)
  const tools = toProviderTools(request.tools)
  const options = {
    tools,
    // Providers refuse a choice where there is nothing to choose from.
    toolChoice: tools && toProviderChoice(request.toolChoice),
    maxOutputTokens,
    temperature,
    headers,
    providerOptions: form?.providerOptions
      ? mergeExtras(form.providerOptions, request.providerOptions)
      : request.providerOptions,
    responseFormat: form?.format,
    abortSignal,
  }
  if (model.specificationVersion === 'v3') {
    const prompt = toPromptV3(request, abilities)
    return () => model.doStream({ ...options, prompt })
  }
  const prompt = toPromptV4(request, abilities)
  return () => model.doStream({ ...options, reasoning, prompt })
}

function toProviderChoice(choice: ToolChoice | undefined): LanguageModelV4ToolChoice | undefined {
  if (choice === undefined) return undefined
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }
}

/** A proxy's sign-in or error page that came with a success status would otherwise read as an empty reply. */
function refusePage(headers: Readonly<Record<string, string>> | undefined, model: string): void {
  const type = headers?.['content-type']
  if (!type?.includes('text/html')) return
  throw new ModelError(`${model}: answered with a web page`, { kind: 'malformed', model, retryable: true })
}

async function drain(reader: ReadableStreamDefaultReader<ProviderPart> | undefined): Promise<void> {
  try {
    for (let done = !reader; !done;) done = (await reader?.read())?.done ?? true
  } catch {
    // The reply is complete; how its connection ends is nobody's concern.
  }
}

const ignore = (): void => {}
