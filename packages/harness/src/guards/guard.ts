import type { HaltFacts } from '@capstan/protocol'
import type { FinishedCall } from '../turn/finished-call.ts'
import type { ToolCall } from '../turn/tool-call.ts'

/** What a guard wants: a word to the model, or the end of the turn with an answer the user can read. */
export type Verdict =
  | { readonly action: 'nudge'; readonly text: string }
  | { readonly action: 'halt'; readonly text: string; readonly facts?: Pick<HaltFacts, 'tool' | 'count'> }

/** A reply of the model that asks for calls. */
export interface AskedReply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Notices a loop that goes nowhere. A pure counter without I/O and without a clock: a resumed run shows its past to
 * fresh guards, and they count on from there. A guard counts; the engine acts.
 */
export interface Guard {
  readonly name: string
  /** Sees a reply before its calls run. */
  beforeCalls?(reply: AskedReply): Verdict | undefined
  /** Sees each finished call, in the order asked. */
  afterCall?(finished: FinishedCall): Verdict | undefined
  /** Forgets everything. Called on all guards when one has halted, so that a resumed run does not stop at once. */
  reset?(): void
}
