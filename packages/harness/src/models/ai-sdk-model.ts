import type { LanguageModelV3, LanguageModelV4, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { ConfigurationError, ModelError } from '../turn/errors.ts'
import { ignore } from '../turn/maybe-promise.ts'
import type { ProviderExtras } from '../turn/message/message.ts'
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

/** A model of the AI SDK, in either version of its interface. */
export type AiSdkModel = LanguageModelV4 | LanguageModelV3

/** How to use a model of the AI SDK. */
export interface AiSdkModelOptions {
  /** Defaults to `provider/model`. Prices and abilities are looked up by it. */
  readonly id?: string
  readonly abilities?: Partial<ModelAbilities>
  readonly prices?: Prices
  /** Sent with every request; options of a request win. */
  readonly providerOptions?: ProviderExtras
}

/** A model client for any model of the AI SDK. It never retries and sets no timers: the engine does. */
export function fromAiSdk(model: AiSdkModel, options: AiSdkModelOptions = {}): ModelClient {
  const version: string = model.specificationVersion
  if (version !== 'v3' && version !== 'v4') {
    throw new ConfigurationError('model', `needs AI SDK specification v3 or v4, and this one has ${version}`)
  }
  const provider = model.provider.split('.')[0] ?? model.provider
  // Chat completions write tool results as text.
  const chat = model.provider.endsWith('.chat') ? { mediaInResults: false } : undefined
  return lazyAiSdk(() => model, {
    ...options,
    abilities: { ...chat, ...options.abilities },
    id: options.id ?? `${provider}/${model.modelId}`,
  })
}

/** Like `fromAiSdk`, for a model whose package is loaded at the first request. */
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

/** A request, and which media the model can read. */
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
  // Ends a pending read at once, even for a model that ignores the signal.
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
    if (delivering) throw error // an error of the reader, not of the model
    throw toModelError(error, id, reader ? 'stream' : 'request')
  } finally {
    signal.removeEventListener('abort', stop)
    // A connection that is read to its end is reused; a cancelled one is closed.
    if (end === 'finished') void drain(reader)
    else if (end === 'open') void reader?.cancel().catch(ignore)
  }
}

/** Converts the request before the provider is called: a tool that cannot be converted is a bug, not its failure. */
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
    // Providers refuse a tool choice without tools.
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

/** Without this, a proxy's sign-in or error page with a success status would look like an empty reply. */
function refusePage(headers: Readonly<Record<string, string>> | undefined, model: string): void {
  const type = headers?.['content-type']
  if (!type?.includes('text/html')) return
  throw new ModelError(`${model}: answered with a web page`, { kind: 'malformed', model, retryable: true })
}

async function drain(reader: ReadableStreamDefaultReader<ProviderPart> | undefined): Promise<void> {
  try {
    for (let done = !reader; !done;) done = (await reader?.read())?.done ?? true
  } catch {
    // The reply is complete; errors of the connection no longer matter.
  }
}
