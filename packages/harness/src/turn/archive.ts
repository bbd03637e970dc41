import type { CallId, Origin, RunId, TurnOutcome } from '@capstan/protocol'
import type { BudgetLimits, Spent } from './budget.ts'
import type { JsonObject } from './json.ts'
import type { AssistantMessage, Message, ToolMessage } from './message/message.ts'
import type { SideEffect } from './side-effects.ts'
import type { ToolResult } from './tool/tool-result.ts'

/** What the ledger holds of a thread from before this process, or before a wait. */
export interface Archive {
  /** The sub-agent that a call of an interrupted run had started; without a name, the one that has not ended. */
  childOf(runId: RunId, callId: CallId, name?: string): PastRun | undefined
  /** The sub-agents that an interrupted run had started without waiting, in order. */
  spawnedBy(runId: RunId): readonly PastSpawned[]
  /** Whether a sent message is in a conversation, by its id in the queue. */
  hasMessage(queueId: string): boolean
  /** The connection that a call of an interrupted run asked for. */
  connectionAskedFor(runId: RunId, callId: CallId): string | undefined
  /** The sub-agent of this conversation that waits under this name. */
  findWaiting(conversationId: string, name: string): PastConversation | undefined
  /** It goes on, so it waits no longer. */
  removeWaiting(conversationId: string, name: string): void
  /** The number of sub-agents this conversation has started. */
  countChildren(conversationId: string): number
}

/** A sub-agent that was started without waiting. */
export interface PastSpawned {
  /** The call that started it. */
  readonly callId: CallId
  readonly run: PastRun
  /** What it was asked, as people read it. */
  readonly task: string
  /** Its report is in the conversation of its parent. */
  readonly isReported: boolean
}

/** A conversation as it was recorded. */
export interface PastConversation {
  readonly id: string
  /** Whose it is. */
  readonly agent: string
  readonly system: string
  readonly messages: readonly Message[]
  /** What was announced to it besides its tools; see `Surface.announced`. */
  readonly announced?: readonly string[]
  /** For a sub-agent: the name under which its parent continues it. */
  readonly name?: string
  /** For a sub-agent: the setup for its task, if it has one. */
  readonly setup?: JsonObject
}

/** A run without an end, or one whose parent did not record its end. */
export interface PastRun {
  readonly runId: RunId
  readonly conversation: PastConversation
  readonly origin: Origin
  readonly outcome?: TurnOutcome
  /** The schema that came with its message, as JSON Schema. */
  readonly output?: JsonObject
  readonly budget: BudgetLimits
  readonly spent: Spent
  /** The last iteration that began. */
  readonly iteration: number
  /** A reply of that iteration is in the conversation. */
  readonly hasReplied: boolean
  /** Its replies with calls, each with the results. */
  readonly replies: readonly PastReply[]
  /** The last reply, when nothing followed it: its results are not part of the conversation yet. */
  readonly open?: PastReply
  /** The last message it added, if any. */
  readonly last?: Message
  /** Replies that broke off. */
  readonly cuts: number
  /** Text of an unfinished reply that was shown. */
  readonly partial: string
  /** The usage of the last reply was counted. */
  readonly isCounted: boolean
  /** What it and the runs below it have changed. */
  readonly sideEffects: readonly SideEffect[]
  /** Calls with side effects that were admitted to run. */
  readonly intents: ReadonlySet<CallId>
}

/** A reply with calls, and the calls that finished. */
export interface PastReply {
  readonly message: AssistantMessage
  /** In the order they finished. */
  readonly finished: ReadonlyMap<CallId, PastCall>
}

/** A finished call, as the guards see it. */
export interface PastCall {
  readonly result: ToolResult
  readonly message: ToolMessage
  readonly polls: boolean
}
