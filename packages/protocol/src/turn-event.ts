import type { AppName } from './connection.ts'
import type { GrantConstraints, HiddenValue } from './grant.ts'
import type { Failure } from './failure.ts'
import type { CallId, RunId, ThreadId } from './ids.ts'
import type { ApprovalReason, WaitsFor } from './ledger.ts'
import type { NoticeFact } from './notice.ts'
import type { ApprovalDecision, ParentCall, TurnOutcome } from './run.ts'
import type { Usage } from './usage.ts'

/** What a running turn tells its watchers. `seq` counts without gaps per thread, children included. */
export type TurnEvent = TurnEventBody & TurnEventEnvelope

/** Where and when an event happened. */
export interface TurnEventEnvelope {
  readonly threadId: ThreadId
  readonly runId: RunId
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** An image or a file that came with a message. */
export interface AttachmentRef {
  /** Where its bytes are; absent when its words are part of the message, or it could not be taken. */
  readonly ref?: string
  readonly mediaType: string
  readonly name?: string
}

/** What happened, without where and when. */
export type TurnEventBody =
  | {
      readonly type: 'turn-start'
      readonly agent: string
      readonly depth: number
      readonly model: string
      /** The model that was chosen for it and cannot be had. It runs on its parent's. */
      readonly missingModel?: string
      /** Set for a sub-agent: the call it works for. */
      readonly parent?: ParentCall
      readonly text: string
      /** The client's id of the message that started it. */
      readonly messageId?: string
      /** The ids of all messages that it starts with, oldest first. Set when there are several; `text` has them all. */
      readonly messageIds?: readonly string[]
      /** Images and files that came with it; their bytes are at `/api/threads/:threadId/media/:ref`. */
      readonly attachments?: readonly AttachmentRef[]
    }
  /** The turn waits for these, and holds no memory meanwhile. It goes on with `turn-resume`, or ends. */
  | { readonly type: 'turn-park'; readonly waitsFor: readonly WaitsFor[] }
  /** The turn goes on after a crash or a wait, in this iteration. What was shown stays; a call is finished or closed. */
  | { readonly type: 'turn-resume'; readonly iteration: number }
  | { readonly type: 'iteration-start'; readonly iteration: number; readonly maxIterations: number }
  | { readonly type: 'text-delta'; readonly iteration: number; readonly delta: string }
  | { readonly type: 'reasoning-delta'; readonly iteration: number; readonly delta: string }
  | {
      readonly type: 'tool-args-delta'
      readonly iteration: number
      readonly callId: CallId
      readonly tool: string
      readonly delta: string
    }
  | {
      readonly type: 'tool-start'
      readonly iteration: number
      readonly callId: CallId
      readonly tool: string
      readonly arguments: unknown
      /** What the call does, for people: "Search the web". */
      readonly label: string
      /** On what: "weather in Oslo". */
      readonly detail?: string
      /** The app it acts in. */
      readonly app?: AppName
    }
  | {
      readonly type: 'tool-end'
      readonly iteration: number
      readonly callId: CallId
      readonly tool: string
      readonly ok: boolean
      readonly output: string
      readonly outputBytes: number
      readonly durationMs: number
      readonly failure?: Failure
    }
  /** A call waits for a person. Stored before it is announced. */
  | {
      readonly type: 'approval-request'
      readonly iteration: number
      readonly approvalId: string
      readonly callId: CallId
      readonly tool: string
      readonly label: string
      /** The sub-agent that asks, by its name. Absent for the agent that talks to the user. */
      readonly agent?: string
      /** Exactly what would run, secrets redacted. */
      readonly arguments: unknown
      /** How far it reaches: `admin` is what cannot be taken back, or changes who may do what. */
      readonly effect?: 'read' | 'write' | 'admin'
      /** The app it would act in. */
      readonly app?: AppName
      /** Constraints that a grant may carry; the first has exactly the destinations of this call. */
      readonly limits?: readonly GrantConstraints[]
      /** The redacted parts of the arguments. */
      readonly hidden?: readonly HiddenValue[]
      readonly digest: string
      readonly expiresAt: number
      /** Set when more than the mode or a rule asks. */
      readonly reason?: ApprovalReason
    }
  | {
      readonly type: 'approval-answer'
      readonly iteration: number
      readonly approvalId: string
      readonly decision: ApprovalDecision
    }
  /** An app has to be connected by a person before the turn can go on. */
  | {
      readonly type: 'connection-request'
      readonly iteration: number
      readonly callId: CallId
      readonly connectionId: string
      readonly toolkit: string
      /** What people call the app. */
      readonly name: string
    }
  /** One model call was paid for; `total` is the run so far, children included. */
  | {
      readonly type: 'usage-update'
      readonly iteration: number
      readonly model: string
      readonly call: Usage
      readonly total: Usage
      readonly durationMs: number
    }
  /** A model call failed and is tried again. What this iteration streamed so far is void. */
  | {
      readonly type: 'model-retry'
      readonly iteration: number
      readonly model: string
      readonly attempt: number
      readonly delayMs: number
      readonly failure: Failure
    }
  /** The model has said nothing for `waitedMs`. The call is given up when it says nothing for `limitMs`. */
  | {
      readonly type: 'model-wait'
      readonly iteration: number
      readonly model: string
      readonly waitedMs: number
      readonly limitMs: number
    }
  /** The harness added a line to the conversation. */
  | {
      readonly type: 'notice-add'
      readonly iteration: number
      readonly text: string
      /** What it says, for a screen that shows it in its own words. */
      readonly fact?: NoticeFact
    }
  /** A message sent during the turn reached the model. */
  | {
      readonly type: 'message-deliver'
      readonly iteration: number
      readonly text: string
      /** The client's id of the message. */
      readonly messageId?: string
    }
  | {
      readonly type: 'guard-nudge'
      readonly iteration: number
      readonly guard: string
      readonly text: string
    }
  | {
      readonly type: 'history-compact'
      readonly iteration: number
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly how: 'summary' | 'digest'
    }
  /** This request was not a pure extension of the one before it: which field changed, and why. */
  | {
      readonly type: 'prefix-break'
      readonly iteration: number
      readonly field: 'tools' | 'system' | 'history'
      readonly reason: string
    }
  /** What exists could not be brought up to date, and the turn went on with what was known. Once while it lasts. */
  | { readonly type: 'surface-stale'; readonly iteration: number; readonly reason: string }
  | { readonly type: 'turn-end'; readonly outcome: TurnOutcome }
