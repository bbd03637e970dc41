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

/** Why a reply ended. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** One complete reply of a model, before it is parsed. */
export interface ModelReply {
  readonly parts: readonly (TextPart | ReasoningPart | RawCall)[]
  /** All text parts joined. */
  readonly text: string
  readonly finish: FinishReason
  readonly usage: Usage
  /** The connection broke after text was shown; unfinished calls were dropped. */
  readonly cut?: true
}
