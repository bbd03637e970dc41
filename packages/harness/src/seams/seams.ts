import type { Cap, Failure, Notice, TurnEvent, TurnOutcome, Usage } from '@capstan/protocol'
import type { JsonObject } from '../turn/json.ts'
import type { FinishedCall } from '../turn/tool/finished-call.ts'
import type { Message, ToolMessage } from '../turn/message/message.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import type { PrefixRecord } from '../turn/message/prefix.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'

// The five places where the entry points differ. Everything else in a turn is the same for all of them.

/**
 * Which tools exist now. It is asked in every iteration, so a tool may appear mid-turn, and returns the same surface
 * object while nothing changes. `since` is the surface the conversation last saw; the notices describe the changes from
 * it. Without `since` there are none. A notice about one tool has a `fact` of kind `tool-added` or `tool-removed` with
 * the tool's name, so that it can be hidden from an agent that may not use the tool. Never throws and never waits: it
 * returns the last tools it knew.
 */
export interface ToolSource {
  current(since?: Surface): Offer
  /** The surface to compare with after a restart, made from what was announced to the conversation before it. */
  recall?(announced: readonly string[]): Surface
}

/** The tools that exist now, and what the model must read about them. */
export interface Offer {
  readonly surface: Surface
  readonly notices: readonly Notice[]
  /** Text for the model besides the tools: put before a new conversation, and again after a compaction. */
  readonly baseline?: string
  /** Why the offer may be out of date. The same object while the problem lasts. */
  readonly problem?: { readonly reason: string }
}

/** Something that an agent is told besides its tools, such as the connected apps of the user. */
export interface Knowledge {
  /** What holds now, and what changed since `announced` was told. Never throws and never waits. */
  current(announced: readonly string[] | undefined): KnownNow
}

/** What an agent is told now. */
interface KnownNow extends Pick<Offer, 'notices' | 'baseline' | 'problem'> {
  /** Undefined: nothing is known, and what was told before still holds. */
  readonly announced: readonly string[] | undefined
}

/**
 * Receives the events of a turn, in order and without gaps. Never throws. While a returned promise is pending, the
 * engine holds back the next delta.
 */
export interface ProgressReporter {
  report(event: TurnEvent): void | Promise<void>
}

/**
 * Records the turn: transcript, ledger, usage. Each fact arrives in exactly one callback. The engine awaits each
 * callback, so a record is written before the turn goes on. An error it throws ends the turn: a turn that cannot be
 * recorded must not act.
 */
export interface TurnObserver {
  /** The turn starts. Called before any event is reported. */
  turnStarted?(run: RunContext, start: TurnStart): void | Promise<void>
  /** A run that was interrupted by a crash or parked is resumed. */
  turnResumed?(run: RunContext): void | Promise<void>
  /**
   * A message joined the history: the user's message before `turn-start` is reported, the assistant's before its calls
   * run. Results of calls arrive in `callFinished` instead.
   */
  messageAppended?(run: RunContext, message: Message): void | Promise<void>
  /** Describes what the next request shares with the one before it. */
  requestPrepared?(run: RunContext, prefix: PrefixRecord): void | Promise<void>
  /** A model call was counted. */
  usageCounted?(run: RunContext, usage: Usage, model: string): void | Promise<void>
  /** The model is asked next. What it is going to see must be recorded before. */
  modelCalling?(run: RunContext): void | Promise<void>
  /**
   * A model call is over: replied to, failed for good, or stopped. Attempts that were repeated are part of it. For
   * measurements; its usage and its message arrive in their own callbacks.
   */
  modelCalled?(run: RunContext, call: ModelCall): void | Promise<void>
  /** A call that changes something was allowed and is about to run. */
  callStarting?(run: RunContext, call: ToolCall, intent: CallIntent): void | Promise<void>
  /**
   * A call has its result, which is not yet reported. The results of one reply join the history together, in the order
   * of the calls.
   */
  callFinished?(run: RunContext, finished: RecordedCall): void | Promise<void>
  /** This was announced to the conversation; see `Surface.announced`. */
  surfaceAnnounced?(run: RunContext, announced: readonly string[]): void | Promise<void>
  /** The history was compacted and now consists of these messages. */
  historyReplaced?(run: RunContext, messages: readonly Message[]): void | Promise<void>
  /** The outcome is final and not yet reported. */
  turnEnded?(run: RunContext, outcome: TurnOutcome): void | Promise<void>
}

/** What an observer learns at the start of a turn. */
export interface TurnStart {
  readonly model: string
  /** The user's message as a person reads it. Empty when the turn started without one. */
  readonly text: string
  readonly system: string
  /** What was announced to the conversation besides its tools; see `Surface.announced`. */
  readonly announced: readonly string[] | undefined
  /** Set by the client, so that a message sent twice is one turn. */
  readonly messageId?: string
  /** The JSON Schema of the result that was requested with the message. */
  readonly output?: JsonObject
}

/** How a model call went. */
export interface ModelCall {
  readonly model: string
  readonly system: string
  readonly messages: readonly Message[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** From the start to the first part of the reply. Absent when none came. */
  readonly firstPartMs?: number
  readonly reply?: ModelReply
  /** Why there is no reply. Absent also when the turn was stopped. */
  readonly failure?: Failure
}

/** A call that is about to change something. */
export interface CallIntent {
  /** The tool that runs, even when the model called it by another name. */
  readonly tool: string
  readonly effect: Effect
  /** Digest of the tool and its arguments. */
  readonly digest: string
}

/** A finished call, with the message for the model and the facts an audit needs. */
export interface RecordedCall extends FinishedCall {
  readonly message: ToolMessage
  readonly audit: CallAudit
}

/** Facts an audit needs besides the result. */
export interface CallAudit {
  /** How the call was allowed or stopped. */
  readonly decision: 'allowed' | 'approved' | 'refused' | 'invalid'
  readonly effect: Effect | undefined
  /** Digest of the tool and its arguments. Absent for reads that ran. */
  readonly digest?: string
}

/** Ends a turn that has reached a cap. Never throws. */
export interface CheckpointStrategy {
  atCap(capped: CappedTurn): Promise<Checkpoint>
}

/** What a checkpoint knows about the turn that reached a cap. */
export interface CappedTurn {
  readonly cap: Cap
  /** The user's message. */
  readonly request: string
  /** One line per call so far: `name [ok|failed]: first 800 characters`. */
  readonly digest: readonly string[]
  /** Makes one more model call without tools, if the budget allows it. Undefined when it fails. */
  readonly ask: (question: string) => Promise<string | undefined>
}

/** How a capped turn ends. */
export type Checkpoint =
  /** A summary for the user, and a token to continue. */
  | { readonly type: 'pause'; readonly text: string; readonly resumeToken: string }
  /** The turn cannot be continued later; reaching the limit is a failure. */
  | { readonly type: 'fail'; readonly text: string }

/** Reads the calls in a model's reply. `parse` is pure. */
export interface ResponseParser {
  readonly dialect: 'native' | 'xml' | 'pformat'
  /** How to call tools, appended to the system prompt. Empty when the provider's API takes tools. */
  instructions(tools: readonly Tool[]): string
  parse(reply: ModelReply, surface: Surface): ParsedReply
  /**
   * Removes call syntax from the text that is streamed to people. Absent: all text is shown. Without a surface every
   * tool name counts as known.
   */
  openDisplay?(surface?: Surface): DisplayFilter
}

/** A reply split into text and calls. */
export interface ParsedReply {
  /** The reply without its calls, for people. */
  readonly text: string
  readonly calls: readonly ParsedCall[]
}

/** A call without its final id. The engine makes ids unique. */
export type ParsedCall = Omit<ToolCall, 'id'> & { readonly id?: string }

/** Removes call syntax from a stream of text. */
export interface DisplayFilter {
  /** Takes the next delta and returns the new text that is certainly not part of a call. */
  push(delta: string): string
  /** Returns text that was held back and is not part of a call. */
  end(): string
}
