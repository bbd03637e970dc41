import type { RunContext } from '../turn/run-context.ts'
import type { Surface } from '../turn/surface.ts'

/** What every call of one iteration shares. */
export interface ToolPath {
  readonly run: RunContext
  readonly surface: Surface
  readonly iteration: number
  readonly limits: ToolLimits
}

export interface ToolLimits {
  /** For tools that name none of their own. */
  readonly timeoutMs: number
  /** How long a tool may take to stop after its deadline, or after the turn was stopped. */
  readonly graceMs: number
  readonly stopGraceMs: number
  /** Bytes of one result that reach the model. */
  readonly maxOutputBytes: number
}

export const TOOL_LIMITS: ToolLimits = {
  timeoutMs: 120_000,
  graceMs: 5_000,
  stopGraceMs: 1_000,
  maxOutputBytes: 16 * 1024,
}
