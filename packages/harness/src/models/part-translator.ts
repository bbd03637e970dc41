import type {
  LanguageModelV3StreamPart,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { ModelError } from '../turn/errors.ts'
import type { FinishReason } from '../turn/message/model-reply.ts'
import type { ModelPart } from './model-client.ts'
import type { Prices } from './prices.ts'
import { toModelError } from './to-model-error.ts'
import { toUsage } from './to-usage.ts'

/** A stream part of either version of the provider interface. */
export type ProviderPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart

/**
 * Translates the parts of one provider stream. Blocks never overlap in the output, even if the provider interleaves them.
 * A call is released once the stream continues after it, because SDKs flush half-written calls when a connection ends.
 */
export class PartTranslator {
  /** The translated parts. The reader empties it. */
  readonly out: ModelPart[] = []
  readonly model: string
  readonly #prices: Prices
  #block: 'text' | 'reasoning' | undefined
  #blockId = ''
  #blockHasText = false
  #extras: SharedV4ProviderMetadata | undefined
  #held: ModelPart[] = []
  /** Ids of calls that run at the provider; they are ignored. */
  #providerCalls: Set<string> | undefined

  constructor(model: string, prices: Prices) {
    this.model = model
    this.#prices = prices
  }

  /** Whether a delta only extends the open text block, which needs no translation. Most deltas do. */
  goesOn({ id, delta, providerMetadata }: Extract<ProviderPart, { type: 'text-delta' }>): boolean {
    return (
      this.#block === 'text' &&
      this.#blockId === id &&
      this.#blockHasText &&
      delta !== '' &&
      providerMetadata === undefined
    )
  }

  /** Throws `ModelError` for an error part. */
  take(part: ProviderPart): void {
    switch (part.type) {
      case 'text-start':
        return this.#open('text', part.id, part.providerMetadata)
      case 'reasoning-start':
        return this.#open('reasoning', part.id, part.providerMetadata)
      case 'text-delta':
        return this.#write('text', part.id, part.delta, part.providerMetadata)
      case 'reasoning-delta':
        return this.#write('reasoning', part.id, part.delta, part.providerMetadata)
      case 'text-end':
      case 'reasoning-end':
        if (this.#blockId !== part.id || this.#block === undefined) return
        this.#extras = part.providerMetadata ?? this.#extras
        return this.#close()
      case 'tool-input-start':
        this.#close()
        this.#release()
        if (part.providerExecuted) (this.#providerCalls ??= new Set()).add(part.id)
        else this.out.push({ type: 'call-start', id: part.id, tool: part.toolName })
        return
      case 'tool-input-delta':
        if (!this.#providerCalls?.has(part.id))
          this.out.push({ type: 'call-delta', id: part.id, delta: part.delta })
        return
      case 'tool-call': {
        this.#close()
        if (part.providerExecuted) return
        const { toolCallId: id, toolName: tool, input: argumentsText, providerMetadata: extras } = part
        this.#held.push(
          extras
            ? { type: 'call', id, tool, argumentsText, extras }
            : { type: 'call', id, tool, argumentsText },
        )
        return
      }
      case 'finish':
        return this.#finish(part)
      case 'error':
        throw toModelError(part.error, this.model, 'stream')
      case 'custom':
      case 'file':
      case 'ping':
      case 'raw':
      case 'reasoning-file':
      case 'response-metadata':
      case 'source':
      case 'stream-start':
      case 'tool-approval-request':
      case 'tool-input-end':
      case 'tool-result':
        // A turn uses none of these.
        return
    }
  }

  #open(kind: 'text' | 'reasoning', id: string, extras: SharedV4ProviderMetadata | undefined): void {
    this.#close()
    this.#release()
    this.#block = kind
    this.#blockId = id
    this.#blockHasText = false
    this.#extras = extras
  }

  #write(
    kind: 'text' | 'reasoning',
    id: string,
    delta: string,
    extras: SharedV4ProviderMetadata | undefined,
  ): void {
    if (this.#block !== kind || this.#blockId !== id) this.#open(kind, id, undefined)
    if (extras) this.#extras = extras
    if (delta === '') return
    this.#blockHasText = true
    this.out.push({ type: kind, delta })
  }

  #close(): void {
    const kind = this.#block
    if (kind === undefined) return
    this.#block = undefined
    const extras = this.#extras
    // Redacted reasoning has no text, but the provider needs it back.
    if (!this.#blockHasText && extras) this.out.push({ type: kind, delta: '' })
    if (extras) this.out.push({ type: 'block-end', extras })
    else if (this.#blockHasText) this.out.push({ type: 'block-end' })
  }

  #release(): void {
    if (this.#held.length === 0) return
    this.out.push(...this.#held)
    this.#held = []
  }

  #finish({ finishReason, usage, providerMetadata }: Extract<ProviderPart, { type: 'finish' }>): void {
    const reason = this.#reasonOf(finishReason.unified)
    this.#close()
    this.#release()
    this.out.push({ type: 'finish', reason, usage: toUsage(usage, providerMetadata, this.#prices) })
  }

  #reasonOf(unified: LanguageModelV4FinishReason['unified']): FinishReason {
    if (unified !== 'interrupted' && unified !== 'error') return unified
    const kind = unified === 'interrupted' ? 'cut' : 'malformed'
    const message = `${this.model}: the provider could not finish the reply`
    throw new ModelError(message, { kind, model: this.model, retryable: true })
  }
}
