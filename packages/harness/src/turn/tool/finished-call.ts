import type { ToolCall } from './tool-call.ts'
import type { ToolResult } from './tool-result.ts'
import type { Effect } from './tool.ts'

/** A call and its result. */
export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** The effect of the call. Absent: unknown, which counts as `write`. */
  readonly effect?: Effect
  /** The tool declares that it is meant to be called repeatedly. */
  readonly polls: boolean
}
