import type { ToolCall } from './tool-call.ts'
import type { ToolResult } from './tool-result.ts'
import type { Effect } from './tool.ts'

/** A call and what came of it. */
export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** How far the call reached. Absent: not known, which is `write`. */
  readonly effect?: Effect
  /** The tool declared that repeating it is how it is used. */
  readonly polls: boolean
}
