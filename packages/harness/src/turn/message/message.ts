import type { CallId, NoticeFact, RunId } from '@capstan/protocol'
import type { OwnWords, UntrustedSource } from '../../text/untrusted-frame.ts'
import type { ReadFact } from '../flow-tracker.ts'
import type { JsonObject } from '../json.ts'
import type { ToolCall } from '../tool/tool-call.ts'

/**
 * One message of a conversation. It never changes after it was appended: providers cache the earlier part of a
 * conversation, and so do we.
 */
export type Message = UserMessage | AssistantMessage | ToolMessage | NoticeMessage

/** A message of the user. */
export interface UserMessage {
  readonly role: 'user'
  readonly parts: readonly UserPart[]
  /** Text of the harness before the user's text (date, memory). Screens do not show it. */
  readonly preface?: string
  /** Set when it was sent while a turn was running. */
  readonly delivery?: 'steer' | 'follow-up'
  /** Its id in the stored queue. */
  readonly queueId?: string
}

/** A reply of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  /** In a text dialect: the reply exactly as written. The model must see its own text unchanged. */
  readonly raw?: string
  /** The connection broke before the reply was complete. */
  readonly cut?: true
}

/** The result of one call. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: CallId
  readonly tool: string
  readonly ok: boolean
  readonly text: string
  readonly media?: readonly MediaPart[]
  /** The text comes from outside. A conversation frames it for the model; here it is bare. */
  readonly from?: UntrustedSource
  /** Which parts of such a text are the harness's own, and stay outside of the frame. */
  readonly own?: OwnWords
  /** The text is framed already. */
  readonly framed?: true
  /** The result is sent as text, because the provider never saw the call (text dialects). */
  readonly inText?: true
}

/** A line of the harness. Sent in the user role, because a system message would change the prompt. */
export interface NoticeMessage {
  readonly role: 'notice'
  readonly text: string
  /** The fact behind the text, for screens that word it themselves. */
  readonly fact?: NoticeFact
  /** Set on a summary of the conversation before it, so that the next summary includes it. */
  readonly summary?: { readonly text: string; readonly request?: string }
  /** Set on the report of a sub-agent, so that it is delivered once: its run, and what the report carries. */
  readonly report?: { readonly runId: RunId; readonly read?: ReadFact }
}

/** A part of a user message. */
export type UserPart = TextPart | MediaPart
/** A part of an assistant message. */
export type AssistantPart = TextPart | ReasoningPart | CallPart

/** Text. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly extras?: ProviderExtras
}

/** Reasoning of the model. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly extras?: ProviderExtras
}

/** A tool call. */
export interface CallPart {
  readonly type: 'call'
  readonly call: ToolCall
}

/** An image or file. The bytes stay in the media store, so that base64 never enters a history. */
export interface MediaPart {
  readonly type: 'image' | 'file'
  readonly ref: string
  readonly mediaType: string
  readonly bytes: number
  readonly name?: string
}

/** Data that a provider needs back unchanged, such as a thought signature, by provider name. */
export type ProviderExtras = Readonly<Record<string, JsonObject>>

/** The text of a message, without reasoning, calls and media. */
export function textOf(message: Message): string {
  if (message.role === 'tool' || message.role === 'notice') return message.text
  let text = ''
  for (const part of message.parts) if (part.type === 'text') text += part.text
  return text
}

/** The calls of a reply. */
export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  const calls: ToolCall[] = []
  for (const part of message.parts) if (part.type === 'call') calls.push(part.call)
  return calls
}

/** The images and files that a message carries. */
export function mediaOf(message: Message): readonly MediaPart[] {
  if (message.role === 'tool') return message.media ?? []
  return message.role === 'user' ? message.parts.filter((part) => part.type !== 'text') : []
}
