import type { CallId, Origin, RunId, TurnOutcome } from '@capstan/protocol'
import type { BudgetLimits, Spent } from './budget.ts'
import type { JsonObject } from './json.ts'
import type { AssistantMessage, Message, ToolMessage } from './message.ts'
import type { Effect } from './tool.ts'
import type { ToolResult } from './tool-result.ts'

/** What is known of a thread from before this process, or before a wait. */
export interface Archive {
  /** The sub-agent that a call of an interrupted run had started; without a name the one that has not ended. */
  childOf(runId: RunId, callId: CallId, name?: string): PastRun | undefined
  /** The connection that a call of an interrupted run asked a person for. */
  connectionAskedFor(runId: RunId, callId: CallId): string | undefined
  /** Takes a sub-agent of this conversation that waits under this name, once. */
  takeWaiting(conversationId: string, name: string): PastConversation | undefined
  /** Sub-agents that this conversation has started. */
  countChildren(conversationId: string): number
}

/** A conversation as it was written down. */
export interface PastConversation {
  readonly id: string
  /** Whose it is. */
  readonly agent: string
  readonly system: string
  readonly messages: readonly Message[]
  /** What it knew besides its tools; see `Surface.announced`. */
  readonly announced?: readonly string[]
  /** For a sub-agent: by which its parent lets it go on. */
  readonly name?: string
  /** For a sub-agent that was fitted out for its task: with what. */
  readonly setup?: JsonObject
}

/** A run that did not get to its end, or that ended while its parent did not notice. */
export interface PastRun {
  readonly runId: RunId
  readonly conversation: PastConversation
  readonly origin: Origin
  readonly outcome?: TurnOutcome
  /** The form of result that was asked for with its message, as JSON Schema. */
  readonly output?: JsonObject
  readonly budget: BudgetLimits
  readonly spent: Spent
  /** The last one that was begun. */
  readonly iteration: number
  /** Its replies that asked for calls, each with everything that came of it. */
  readonly replies: readonly PastReply[]
  /** The last of them, when nothing followed it: its results are not part of the conversation yet. */
  readonly open?: PastReply
  /** The last message it added, if any. */
  readonly last?: Message
  /** Replies that broke off. */
  readonly cuts: number
  /** Words of a reply that were shown, and whose end nobody saw. */
  readonly partial: string
  /** The last reply was paid for. */
  readonly isCounted: boolean
  /** Calls that had been let through to change something. */
  readonly intents: ReadonlySet<CallId>
}

export interface PastReply {
  readonly message: AssistantMessage
  /** In the order they finished. */
  readonly finished: ReadonlyMap<CallId, PastCall>
}

export interface PastCall {
  readonly result: ToolResult
  readonly message: ToolMessage
  readonly effect?: Effect
  readonly polls: boolean
}
