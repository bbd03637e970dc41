import type { JsonValue } from '../turn/json.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolResult } from '../turn/tool-result.ts'

/** What a guard wants: a word to the model, or the end of the turn with an answer the user can read. */
export type Verdict =
  | { readonly action: 'nudge'; readonly text: string }
  | { readonly action: 'halt'; readonly text: string }

/** A finished call, as a guard sees it. */
export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** The tool declared that repeating it is how it is used. */
  readonly polls: boolean
}

/**
 * Notices a loop that goes nowhere. A pure counter: no I/O, no clock, and its whole memory is `state`, so
 * that a restarted run counts on. A guard counts; the engine acts.
 */
export interface Guard {
  readonly name: string
  /** Sees a reply before its calls run. */
  beforeCalls?(reply: { readonly text: string; readonly calls: readonly ToolCall[] }): Verdict | undefined
  /** Sees each finished call, in the order asked. */
  afterCall?(finished: FinishedCall): Verdict | undefined
  /** Everything it remembers, as plain data. */
  state(): JsonValue
  restore(state: JsonValue): void
}
