import type { CallId } from '@capstan/protocol'
import type { JsonObject } from '../json.ts'
import type { ProviderExtras } from '../message/message.ts'

/** A call as the model requested it, unchecked. */
export interface ToolCall {
  readonly id: CallId
  readonly tool: string
  readonly arguments: JsonObject
  /** The arguments could not be parsed. The model gets the problem; nothing runs. */
  readonly malformed?: { readonly raw: string; readonly problem: string }
  readonly extras?: ProviderExtras
}
