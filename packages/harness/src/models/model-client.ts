import type { Usage } from '@capstan/protocol'
import type { MediaStore } from '../turn/media-store.ts'
import type { Sight } from '../turn/media.ts'
import type { Message, ProviderExtras } from '../turn/message.ts'
import type { ResolvedModelOptions } from '../turn/model-options.ts'
import type { FinishReason } from '../turn/model-reply.ts'
import type { JsonSchema, Tool } from '../turn/tool.ts'

/** A language model, however it is reached. */
export interface ModelClient {
  /** `provider/model`, as people write it. */
  readonly id: string
  readonly abilities: ModelAbilities
  /**
   * One reply, handed to `onPart` piece by piece; when that returns a promise, the next piece waits for it. The
   * last piece is `finish`; a stream that settles without one was cut. Rejects with `ModelError` for everything
   * that goes wrong, with the signal's reason when it was stopped, and with whatever `onPart` throws.
   */
  stream(request: ModelRequest, signal: AbortSignal, onPart: OnPart): Promise<void>
}

export type OnPart = (part: ModelPart) => void | Promise<void>

export interface ModelAbilities extends Sight {
  /** The provider takes tools and answers with calls. */
  readonly tools: boolean
  /** Images and files may stand in the result of a tool. Absent: they follow it in a message of their own. */
  readonly mediaInResults?: boolean
  /** The provider makes a reply fit a JSON Schema, also beside tools. Absent: a result tool takes its place. */
  readonly structuredOutput?: boolean
  /** Tokens of context; absent when unknown, and then nothing is trimmed. */
  readonly contextWindow?: number
  /** The window is what a local runtime has really loaded, so a prompt that cannot fit is certain to fail. */
  readonly windowIsLoaded?: boolean
}

/**
 * What is sent. `messages` only ever grows, and `tools` stays the same array while nothing changed: a client
 * may convert each message and each tool once and keep the result.
 */
export interface ModelRequest extends ResolvedModelOptions {
  /** The text of the reply must be JSON of this form. Only sent to a model that can do it. */
  readonly outputSchema?: JsonSchema
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly media: MediaStore
}

export type ModelPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Ends the text or reasoning block, with what the provider wants back. */
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
