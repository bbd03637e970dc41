import type { Usage } from '@capstan/protocol'
import type { MediaStore } from '../turn/message/media-store.ts'
import type { Sight } from '../turn/message/media.ts'
import type { Message, ProviderExtras } from '../turn/message/message.ts'
import type { ResolvedModelOptions } from '../turn/model-options.ts'
import type { FinishReason } from '../turn/message/model-reply.ts'
import type { JsonSchema, Tool } from '../turn/tool/tool.ts'

/** A language model. */
export interface ModelClient {
  /** `provider/model`, as people write it. */
  readonly id: string
  readonly abilities: ModelAbilities
  /**
   * Streams one reply to `onPart`, part by part; when `onPart` returns a promise, the next part waits for it. The last
   * part is `finish`; a stream that settles without one was cut. Rejects with `ModelError` for every failure, with the
   * signal's reason when it was stopped, and with what `onPart` throws.
   */
  stream(request: ModelRequest, signal: AbortSignal, onPart: OnPart): Promise<void>
}

/** Receives the parts of a reply. A promise holds back the next part. */
export type OnPart = (part: ModelPart) => void | Promise<void>

/** What a model can do. */
export interface ModelAbilities extends Sight {
  /** The provider supports tools and returns calls. */
  readonly tools: boolean
  /** Tool results may contain images and files. Absent: they follow in a separate message. */
  readonly mediaInResults?: boolean
  /** The provider can make a reply fit a JSON Schema, also with tools. Absent: a result tool is used. */
  readonly structuredOutput?: boolean
  /** The context window in tokens. Absent: unknown, and nothing is trimmed. */
  readonly contextWindow?: number
  /** The window is the size a local runtime has loaded, so a larger prompt is certain to fail. */
  readonly windowIsLoaded?: boolean
}

/**
 * One request. `messages` only grows, and `tools` is the same array while the tools are unchanged, so a client may convert
 * each message and each tool once.
 */
export interface ModelRequest extends ResolvedModelOptions {
  /** The text of the reply must be JSON that fits this schema. Only set for a model with structured output. */
  readonly outputSchema?: JsonSchema
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly media: MediaStore
}

/** A part of a streamed reply. */
export type ModelPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Ends the text or reasoning block, with the data the provider needs back. */
  | { readonly type: 'block-end'; readonly extras?: ProviderExtras }
  | { readonly type: 'call-start'; readonly id: string; readonly tool: string }
  | { readonly type: 'call-delta'; readonly id: string; readonly delta: string }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly argumentsText: string
      readonly extras?: ProviderExtras
    }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
