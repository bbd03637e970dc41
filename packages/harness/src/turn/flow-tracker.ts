import type { FlowReason, CallId, Origin, RunId } from '@capstan/protocol'
import type { JsonObject } from './json.ts'
import type { UserMessage } from './message/message.ts'
import type { Surface } from './tool/surface.ts'
import type { DataLabel, Effect, Tool } from './tool/tool.ts'

/** A call that is about to run. */
export interface FlowCall {
  readonly tool: Tool
  readonly effect: Effect
  readonly args: JsonObject
  /** Set for a call of the model: what a person was asked about before a restart is asked again. */
  readonly id?: { readonly runId: RunId; readonly callId: CallId }
}

/** What the data-flow rule says about a call. */
export type FlowDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'ask' | 'deny'; readonly rule: string; readonly reason: FlowReason }

/** What a result carried. It is stored with the result, so that the rule goes on after a restart. */
export interface ReadFact {
  readonly returns: readonly DataLabel[]
  /**
   * `made`: the assistant can make up any text there. `summarised`: the same, because a model worded it anew. `repeated`: a
   * part of an earlier result. `described`: what a third party says about its tools.
   */
  readonly text?: 'made' | 'summarised' | 'repeated' | 'described'
  readonly destinations?: readonly string[]
  readonly app?: string
  readonly name?: string
}

/**
 * Knows what a thread has read and judges its calls by it. One per thread: a turn and all its sub-agents share it, and
 * it outlives turns, compactions and restarts. It only ever makes a decision stricter.
 */
export interface FlowTracker {
  /** The user's own words: the only instruction that counts. */
  userSaid(text: string): void
  /** A text that came with the message and that somebody else may have written. */
  attached(name: string | undefined, text: string): void
  /** Descriptions of third-party tools are untrusted text as well. Cheap when the surface is known. */
  offered(surface: Surface): void
  /** Whether `judge` may say anything but `allow` about such a call. Cheap. */
  concerns(tool: Tool, effect: Effect): boolean
  judge(call: FlowCall): FlowDecision
  /** Whether the thread has read text that others can write. */
  readonly hasReadUntrusted: boolean
  /** Notes the result of a call that ran. Undefined: nothing is known about it, so it counts as private and untrusted. */
  returned(call: FlowCall, text: string, isSummary?: boolean): ReadFact | undefined
}

/**
 * Notes a message of the person. What a trigger delivers was written by somebody else. `text` is what was asked, without
 * what the harness or a program added to it.
 */
export function noteUserMessage(
  flow: FlowTracker,
  {
    text,
    origin,
    message,
  }: { readonly text: string; readonly origin: Origin; readonly message?: UserMessage },
): void {
  if (origin === 'trigger') flow.attached('trigger', text)
  else flow.userSaid(text)
  for (const part of message?.parts.slice(1) ?? [])
    flow.attached(part.type === 'text' ? undefined : part.name, part.type === 'text' ? part.text : '')
}
