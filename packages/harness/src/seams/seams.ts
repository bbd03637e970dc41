import type { Cap, Notice, TurnEvent, TurnOutcome, Usage } from '@capstan/protocol'
import type { Message, ToolMessage } from '../turn/message.ts'
import type { ModelReply } from '../turn/model-reply.ts'
import type { PrefixRecord } from '../turn/prefix.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Surface } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolResult } from '../turn/tool-result.ts'
import type { Effect, Tool } from '../turn/tool.ts'

// The five places where the three entry points differ. Everything else in a turn is the same for all of them.

/**
 * Which tools exist now. Asked every iteration, so one may appear mid-turn; answers with the same surface
 * object while nothing changed. `since` is the surface the conversation last saw: the notices tell what changed
 * from it, and there are none without it. A notice about one tool has a `fact` of kind `tool-added` or `tool-removed`
 * with its name, so that it can be kept from those who may not use that tool. Never throws and never waits: it answers
 * with what it last knew.
 */
export interface ToolSource {
  current(since?: Surface): Offer
  /** Stands for what a conversation was told before this process began, so that what changed since can be said. */
  recall?(announced: readonly string[]): Surface
}

export interface Offer {
  readonly surface: Surface
  readonly notices: readonly Notice[]
  /** What the model must know besides the tools: in front of a new conversation, and again after a compaction. */
  readonly baseline?: string
  /** What is offered may be out of date, and why. The same object while that lasts. */
  readonly problem?: { readonly reason: string }
}

/**
 * Who watches the turn. Events come in order and none is dropped. Never throws. A returned promise asks the
 * engine to wait before the next delta.
 */
export interface ProgressReporter {
  report(event: TurnEvent): void | Promise<void>
}

/**
 * Who remembers the turn: transcript, ledger, usage. Each fact arrives in exactly one callback. Awaited, so that what it
 * wrote is written before the turn goes on. What it throws ends the turn: a turn that cannot be recorded must not act.
 */
export interface TurnObserver {
  /** Before anything is announced. */
  turnStarted?(run: RunContext, start: TurnStart): void | Promise<void>
  /** The run was interrupted, by a crash or a wait, and goes on. */
  turnResumed?(run: RunContext): void | Promise<void>
  /**
   * A message joined the history: the user's before the start is announced, the assistant's before its calls run.
   * Results of calls arrive by `callFinished` instead.
   */
  messageAppended?(run: RunContext, message: Message): void | Promise<void>
  /** What the next request shares with the one before it. */
  requestPrepared?(run: RunContext, prefix: PrefixRecord): void | Promise<void>
  usageCounted?(run: RunContext, usage: Usage, model: string): void | Promise<void>
  /** A call that changes something was let through and is about to run. */
  callStarting?(run: RunContext, call: ToolCall, intent: CallIntent): void | Promise<void>
  /**
   * A call has its result, which is not yet announced. The results of one reply join the history together, in the
   * order of the calls.
   */
  callFinished?(run: RunContext, finished: FinishedCall): void | Promise<void>
  /** The conversation knows this from here on; see `Surface.told`. */
  surfaceAnnounced?(run: RunContext, announced: readonly string[]): void | Promise<void>
  /** The history was compacted: these messages are the whole of it. */
  historyReplaced?(run: RunContext, messages: readonly Message[]): void | Promise<void>
  /** The outcome is final, and not yet announced. */
  turnEnded?(run: RunContext, outcome: TurnOutcome): void | Promise<void>
}

export interface TurnStart {
  readonly model: string
  /** What was asked, as a person reads it; blank when no words began the turn. */
  readonly text: string
  readonly system: string
  /** What the conversation knows besides its tools; see `Surface.told`. */
  readonly announced: readonly string[] | undefined
  /** Given by the client, so that a message delivered twice is one turn. */
  readonly messageId?: string
}

export interface CallIntent {
  /** The tool that runs, whatever name the model called it by. */
  readonly tool: string
  readonly effect: Effect
  /** Of the tool and its arguments. */
  readonly digest: string
}

export interface FinishedCall {
  readonly call: ToolCall
  readonly result: ToolResult
  /** What the model reads of it. */
  readonly message: ToolMessage
  /** How far the call reached. Absent: not known, which is `write`. */
  readonly effect?: Effect
  /** The tool declared that repeating it is how it is used. */
  readonly polls: boolean
  readonly audit: CallAudit
}

/** What an audit needs besides the result. */
export interface CallAudit {
  /** Who let the call through, or stopped it. */
  readonly decision: 'allowed' | 'approved' | 'refused' | 'invalid'
  readonly effect: Effect | undefined
  /** Of the tool and its arguments. Absent for reads that ran. */
  readonly digest?: string
}

/** What a turn has to say when its iterations are used up. Never throws. */
export interface CheckpointStrategy {
  atCap(capped: CappedTurn): Promise<Checkpoint>
}

export interface CappedTurn {
  readonly cap: Cap
  /** The user's words. */
  readonly request: string
  /** One line per call so far: `name [ok|failed]: first 800 characters`. */
  readonly digest: readonly string[]
  /** One more model call with tools off, if the budget still allows it; undefined when it failed. */
  readonly ask: (question: string) => Promise<string | undefined>
}

export type Checkpoint =
  /** The work so far, for the user, and a token to go on. */
  | { readonly type: 'pause'; readonly text: string; readonly resumeToken: string }
  /** There is nobody to go on later: the limit is the failure. */
  | { readonly type: 'fail'; readonly text: string }

/** How the model writes calls. `parse` is pure. */
export interface ResponseParser {
  readonly dialect: 'native' | 'xml' | 'pformat'
  /** The way to call tools, appended to the system prompt. Empty when the provider takes tools itself. */
  instructions(tools: readonly Tool[]): string
  parse(reply: ModelReply, surface: Surface): ParsedReply
  /**
   * Keeps call syntax out of the text that is streamed to people. Absent: everything is text. Without the surface
   * every tool name counts as known.
   */
  openDisplay?(surface?: Surface): DisplayFilter
}

export interface ParsedReply {
  /** What a person reads: the reply without its calls. */
  readonly text: string
  readonly calls: readonly ParsedCall[]
}

/** A call without its final id: the engine makes ids unique. */
export type ParsedCall = Omit<ToolCall, 'id'> & { readonly id?: string }

export interface DisplayFilter {
  /** The part of the text so far that is certainly for people, and was not handed out before. */
  push(delta: string): string
  /** What was held back and turned out to be text. */
  end(): string
}
