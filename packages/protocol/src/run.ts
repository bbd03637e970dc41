import type { Failure } from './failure.ts'
import type { CallId, RunId } from './ids.ts'
import type { Usage } from './usage.ts'

/**
 * Where a turn came from. It decides whether a person can be asked: at once, later (`schedule`, `trigger`), or not at all. An
 * unlabelled origin is refused.
 */
export type Origin = 'web' | 'cli' | 'channel' | 'trigger' | 'schedule' | 'task' | 'unlabelled'

/**
 * How a person answered an approval; `expired` when nobody did in time, `withdrawn` when the turn ended first, by a stop or
 * a new message: neither is a no of the person. `allow-thread`, `allow-hour` and `allow-always`
 * also give a grant for further calls of the tool.
 */
export type ApprovalDecision =
  | 'allow-once'
  | 'allow-thread'
  | 'allow-hour'
  | 'allow-always'
  | 'deny'
  | 'expired'
  | 'withdrawn'

/** An answer that a person can give. */
export type GivenAnswer = Exclude<ApprovalDecision, 'expired' | 'withdrawn'>

/** What ran out. */
export interface Cap {
  readonly kind: 'iterations' | 'tokens' | 'usd' | 'wall-clock'
  readonly limit: number
}

/** A call that was started, and nobody saw how it ended. It may or may not have happened. */
export interface OpenCall {
  readonly runId: RunId
  readonly callId: CallId
  readonly tool: string
}

interface OutcomeFacts {
  /** What the user reads. Never blank. */
  readonly text: string
  /** This run and every run below it. */
  readonly usage: Usage
  readonly iterations: number
  /** Calls of this run and of every run below it whose end is unknown. An answer that claims otherwise is wrong. */
  readonly openCalls?: readonly OpenCall[]
}

/** Why a run was halted, so that a screen can say it in its own words. */
export interface HaltFacts {
  /** The tool of the last call. Absent when a stop hook ended the run. */
  readonly tool?: string
  /** How often it was tried: calls, replies or rounds, as the guard counts. */
  readonly count?: number
  /** Why the last call failed, where it did. */
  readonly failure?: Failure
}

/** How a run ended. Only `done` means that the request was answered. */
export type TurnOutcome =
  /**
   * Answered. `cut: 'length'` when the model ran into its output limit. `output` is there when a result of some form was
   * asked for: plain JSON, as it is stored.
   */
  | ({ readonly type: 'done'; readonly cut?: 'length'; readonly output?: unknown } & OutcomeFacts)
  /** A guard or a stop hook ended it. */
  | ({ readonly type: 'halted'; readonly guard: string } & HaltFacts & OutcomeFacts)
  /** A budget ran out; with a `resumeToken` it can go on. */
  | ({ readonly type: 'capped'; readonly cap: Cap; readonly resumeToken?: string } & OutcomeFacts)
  /** A tool asked the user something. */
  | ({ readonly type: 'needs-input'; readonly callId: CallId; readonly resumeToken?: string } & OutcomeFacts)
  /** It cannot go on. `cap` says which limit, when the failure is a limit. */
  | ({ readonly type: 'failed'; readonly failure: Failure; readonly cap?: Cap } & OutcomeFacts)
  /** The caller stopped it. Never reported as a failure. */
  | ({ readonly type: 'aborted' } & OutcomeFacts)

/** Which call of which run started a sub-agent. */
export interface ParentCall {
  readonly runId: RunId
  readonly callId: CallId
}

/** How a sub-agent's work stands. `incomplete` is never reported as success. */
export type SubAgentStatus = 'completed' | 'awaiting-user' | 'incomplete' | 'failed'
