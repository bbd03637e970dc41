import type { CallId, Failure } from '@capstan/protocol'
import type { OwnWords, UntrustedSource } from '../../text/untrusted-frame.ts'
import type { DoneWrite } from '../done-writes.ts'
import type { ReadFact } from '../flow-tracker.ts'
import type { MediaPart } from '../message/message.ts'
import type { Effect } from './tool.ts'

/** The result of one call. Every call of the model gets exactly one. */
export interface ToolResult {
  readonly callId: CallId
  readonly tool: string
  readonly ok: boolean
  /** The effect it was judged by. Absent: unknown, which counts as `write`. */
  readonly effect?: Effect
  /** What the model reads, without a frame. */
  readonly text: string
  /** The text comes from outside, and the model reads it in a frame. */
  readonly from?: UntrustedSource
  readonly own?: OwnWords
  readonly media?: readonly MediaPart[]
  readonly failure?: Failure
  readonly durationMs: number
  /** Size of the output before it was cut to the budget. */
  readonly outputBytes: number
  /** It was refused, or ended before it began: the text is the harness's own, for the model. */
  readonly didNotRun?: true
  /** The call succeeded and ends the turn: `text` is the question for the user. */
  readonly endsTurn?: true
  /** What it carried. Absent when nothing is known, and for a call that did not run. */
  readonly read?: ReadFact
  /** Set for a write that succeeded. */
  readonly done?: DoneWrite
}
