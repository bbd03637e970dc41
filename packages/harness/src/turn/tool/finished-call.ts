import type { ToolCall } from './tool-call.ts'
import type { ToolResult } from './tool-result.ts'

/** A call and its result. */
export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** The tool declares that it is meant to be called repeatedly. */
  readonly polls: boolean
}
