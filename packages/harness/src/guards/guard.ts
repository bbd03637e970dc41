import type { HaltFacts } from '@capstan/protocol'
import type { FinishedCall } from '../turn/tool/finished-call.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'

/** A guard's verdict: a nudge for the model, or a halt with an answer for the user. */
export type Verdict =
  | { readonly action: 'nudge'; readonly text: string }
  | { readonly action: 'halt'; readonly text: string; readonly facts?: Pick<HaltFacts, 'tool' | 'count'> }

/** A reply of the model with calls. */
export interface AskedReply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Detects a loop without progress. A guard counts; the engine acts. It has no I/O and no clock, so a resumed run can show
 * its past to new guards, and they count on from there.
 */
export interface Guard {
  readonly name: string
  /** Sees a reply before its calls run. */
  beforeCalls?(reply: AskedReply): Verdict | undefined
  /** Sees each finished call, in the order asked. */
  afterCall?(finished: FinishedCall): Verdict | undefined
  /** Clears all counts. Called on all guards after a halt, so that a continued run does not halt at once. */
  reset?(): void
}
