import type { CallId } from '@capstan/protocol'
import type { JsonObject } from './json.ts'
import type { ProviderExtras } from './message.ts'

/** What the model asked for, before anybody checked it. */
export interface ToolCall {
  readonly id: CallId
  readonly tool: string
  readonly arguments: JsonObject
  /** The arguments could not be read. The model is told; nothing runs. */
  readonly malformed?: { readonly raw: string; readonly problem: string }
  readonly extras?: ProviderExtras
}
