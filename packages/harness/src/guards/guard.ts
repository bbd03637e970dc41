import type { HaltFacts } from '@capstan/protocol'
import type { JsonValue } from '../turn/json.ts'
import type { Effect } from '../turn/tool.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolResult } from '../turn/tool-result.ts'

/** What a guard wants: a word to the model, or the end of the turn with an answer the user can read. */
export type Verdict =
  | { readonly action: 'nudge'; readonly text: string }
  | { readonly action: 'halt'; readonly text: string; readonly facts?: Pick<HaltFacts, 'tool' | 'count'> }

/** A finished call, as a guard sees it. */
export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** The tool declared that repeating it is how it is used. */
  readonly polls: boolean
  /** How far the call reached. Absent: not known, which is `write`. */
  readonly effect?: Effect
}

/** A reply of the model that asks for calls. */
interface AskedReply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Notices a loop that goes nowhere. A pure counter: no I/O, no clock, and its whole memory is `state`, so
 * that a restarted run counts on. A guard counts; the engine acts.
 */
export interface Guard {
  readonly name: string
  /** Sees a reply before its calls run. */
  beforeCalls?(reply: AskedReply): Verdict | undefined
  /** Sees each finished call, in the order asked. */
  afterCall?(finished: FinishedCall): Verdict | undefined
  /** Everything it remembers, as plain data. */
  state(): JsonValue
  restore(state: JsonValue): void
  /** Forgets everything. Called on all guards when one has halted, so that a resumed run does not stop at once. */
  reset?(): void
}
