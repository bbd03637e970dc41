import type {
  AppName,
  ApprovalDecision,
  GrantConstraints,
  HiddenValue,
  ApprovalReason,
  AttachmentRef,
  CallId,
  Failure,
  NoticeFact,
  ParentCall,
  RunId,
  TurnEvent,
  TurnOutcome,
  Usage,
  WaitsFor,
} from '@capstan/protocol'

/** A thread as its events describe it. A running thread and a loaded one have the same form. */
export interface ThreadView {
  /** The number of the newest event in it. */
  readonly lastSeq: number
  readonly turns: readonly Turn[]
}

/** One message of the user, everything that was done for it, and its answer. */
export interface Turn {
  /** The number of the event that started it. */
  readonly key: number
  readonly runId: RunId
  /** What was asked. Blank when it continues after a cap. */
  readonly text: string
  readonly attachments: readonly AttachmentRef[]
  /** The clients' ids of the messages that started it. Empty in threads written before events had ids. */
  readonly messageIds: readonly string[]
  /** What the user added while it ran, as far as it reached the model. */
  readonly additions: readonly Addition[]
  /** The turn's own run and every sub-agent below it. */
  readonly runs: ReadonlyMap<RunId, Run>
  readonly startedAt: number
  /** How many questions to the person are open: approvals and sign-ins, also of sub-agents. */
  readonly openAsks: number
  /** Whether a person was asked since it last started or resumed. */
  readonly hasAsked: boolean
  /** What a parked turn waits for. Empty while it runs, and in threads written before turns reported parking. */
  readonly waitsFor: readonly WaitsFor[]
  /** How long it has waited for a person, without the present wait. */
  readonly waitedMs: number
  /** When the present wait began. */
  readonly waitsSince?: number | undefined
  /** What it waited for is settled, and it goes on when everything is released. Not in the events: see `holdTurn`. */
  readonly isHeld?: boolean
}

/** A message that reached a running turn. */
export interface Addition {
  readonly key: number
  readonly text: string
}

/** One execution of the engine: the turn itself, or a sub-agent. */
export interface Run {
  readonly id: RunId
  readonly agent: string
  readonly depth: number
  readonly model: string
  /** What it was asked. */
  readonly text: string
  readonly parent?: ParentCall
  readonly startedAt: number
  readonly endedAt?: number
  readonly outcome?: TurnOutcome
  readonly iterations: readonly Iteration[]
  /** So far, children included. */
  readonly usage?: Usage
  /** Text of a reply that broke off and is being continued. */
  readonly carried: string
}

/** One model call with the tool calls it asked for. */
export interface Iteration {
  readonly number: number
  readonly maxIterations?: number
  readonly startedAt: number
  readonly items: readonly Item[]
  /** Of its model calls. */
  readonly usage?: Usage
  readonly modelMs?: number
}

/** What happened in an iteration, in order. `key` is the number of the event that started it. */
export type Item = Streamed | Call | Note

/** What the model wrote for people to read. */
export type Streamed = { readonly key: number; readonly text: string } & (
  | { readonly type: 'text' }
  | { readonly type: 'thinking' }
)

/**
 * `writing`: the model is still writing its arguments. `asking` and `connecting`: it waits for a person. `held`: it was
 * answered, and runs when everything is released. `stopped`: nothing went wrong, it was ended with its turn.
 */
export type CallStatus =
  | 'writing'
  | 'running'
  | 'asking'
  | 'connecting'
  | 'held'
  | 'ok'
  | 'failed'
  | 'stopped'

/** One tool call. */
export interface Call {
  readonly type: 'call'
  readonly key: number
  readonly runId: RunId
  readonly callId: CallId
  readonly tool: string
  /** What it does, for people. */
  readonly label: string
  /** On what. */
  readonly detail?: string
  /** The app it acts in, where the harness reports one. */
  readonly app?: AppName
  readonly status: CallStatus
  /** As far as they are written, while `writing`. */
  readonly argumentsText: string
  readonly arguments?: unknown
  readonly startedAt: number
  readonly durationMs?: number
  /** The number of the event that ended it. */
  readonly endKey?: number
  readonly output?: string
  readonly outputBytes?: number
  readonly failure?: Failure
  readonly approval?: AskedApproval
  readonly connection?: AskedConnection
  /** The sub-agents that work for it. */
  readonly children: readonly RunId[]
}

/** An approval that a call asked for. */
export interface AskedApproval {
  readonly id: string
  readonly label: string
  /** The sub-agent that asks, by its name. */
  readonly agent?: string
  /** Exactly what would run, secrets redacted. */
  readonly arguments: unknown
  readonly effect: 'read' | 'write' | 'admin'
  /** Constraints that a grant may carry; the first has exactly the destinations of this call. */
  readonly limits?: readonly GrantConstraints[]
  /** The redacted parts of the arguments. */
  readonly hidden?: readonly HiddenValue[]
  readonly expiresAt: number
  /** Set when more than the mode or a rule asks. */
  readonly reason?: ApprovalReason
  readonly decision?: ApprovalDecision
}

/** A sign-in that a call asked for. */
export interface AskedConnection extends AppName {
  readonly id: string
}

/** Something the harness did that is not a call. */
export type Note = { readonly key: number } &
  /** A line for the model. `fact`: what it says, for a screen's own words. */
  (
    | { readonly type: 'notice'; readonly text: string; readonly fact?: NoticeFact }
    | { readonly type: 'message'; readonly text: string }
    | { readonly type: 'nudge'; readonly guard: string; readonly text: string }
    | {
        readonly type: 'retry'
        readonly attempt: number
        readonly delayMs: number
        readonly failure: Failure
      }
    /** The model says nothing; after `limitMs` without a word it is given up. */
    | { readonly type: 'quiet'; readonly limitMs: number }
    | { readonly type: 'compaction'; readonly tokensBefore: number; readonly tokensAfter: number }
    | {
        readonly type: 'prefix-break'
        readonly field: 'tools' | 'system' | 'history'
        readonly reason: string
      }
    /** The list of tools could not be refreshed. */
    | { readonly type: 'stale' }
    /** The turn resumed after a crash. Resuming after a wait adds no note. */
    | { readonly type: 'resume' }
  )

/** A thread before its first event. */
export const EMPTY_THREAD: ThreadView = { lastSeq: 0, turns: [] }

export type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { readonly type: Type }>

/** The turn's own run. */
export function rootOf(turn: Turn): Run {
  const root = turn.runs.get(turn.runId)
  if (!root) throw new Error('a turn has no run of its own')
  return root
}

/** Whether a call may still change. */
export function isOpen({ status }: Call): boolean {
  return ['running', 'asking', 'connecting', 'held', 'writing'].includes(status)
}

/** Whether a call waits for a person. */
export function isAsking({ status }: Call): boolean {
  return status === 'asking' || status === 'connecting'
}

/** What the model wrote in an iteration, without its thoughts. */
export function textOf({ items }: Iteration): string {
  let text = ''
  for (const item of items) if (item.type === 'text') text += item.text
  return text
}
