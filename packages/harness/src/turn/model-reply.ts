import type { Usage } from '@capstan/protocol'
import type { ProviderExtras, ReasoningPart, TextPart } from './message.ts'

/** A call as the provider delivered it: arguments are still text. */
export interface RawCall {
  readonly type: 'raw-call'
  readonly id: string
  readonly tool: string
  readonly argumentsText: string
  readonly extras?: ProviderExtras
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** One complete reply of a model, before a parser has read it. */
export interface ModelReply {
  readonly parts: readonly (TextPart | ReasoningPart | RawCall)[]
  /** All text parts in one. */
  readonly text: string
  readonly finish: FinishReason
  readonly usage: Usage
  /** The connection broke after text was shown; unfinished calls were dropped. */
  readonly cut?: true
}
