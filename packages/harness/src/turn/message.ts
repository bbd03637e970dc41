import type { CallId, NoticeFact } from '@capstan/protocol'
import type { JsonObject } from './json.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * What a conversation is made of. A message is never changed once it was appended: providers cache what
 * came before, and so do we.
 */
export type Message = UserMessage | AssistantMessage | ToolMessage | NoticeMessage

export interface UserMessage {
  readonly role: 'user'
  readonly parts: readonly UserPart[]
  /** Written by the harness in front of the user's words (date, memory). A screen leaves it out. */
  readonly preface?: string
  /** Set when it was sent while a turn was running. */
  readonly delivery?: 'steer' | 'follow-up'
  /** By which it was kept until then. */
  readonly queueId?: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  /** In a text dialect: the reply exactly as written, which is what the model must see of itself. */
  readonly raw?: string
  /** The connection broke before the reply was complete. */
  readonly cut?: true
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: CallId
  readonly tool: string
  readonly ok: boolean
  readonly text: string
  readonly media?: readonly MediaPart[]
  /** In a text dialect results travel as text, because the provider never saw a call. */
  readonly inText?: true
}

/** A line added by the harness. Sent in the user role: a system message would move the prompt. */
export interface NoticeMessage {
  readonly role: 'notice'
  readonly text: string
  /** What it says, for a screen that shows it in its own words. */
  readonly fact?: NoticeFact
  /** Set when it stands for the conversation before it, so that the next summary can carry it on. */
  readonly summary?: { readonly text: string; readonly request?: string }
}

export type UserPart = TextPart | MediaPart
export type AssistantPart = TextPart | ReasoningPart | CallPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly extras?: ProviderExtras
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly extras?: ProviderExtras
}

export interface CallPart {
  readonly type: 'call'
  readonly call: ToolCall
}

/** An image or file. The bytes stay on the media shelf, so that base64 never enters a history. */
export interface MediaPart {
  readonly type: 'image' | 'file'
  readonly ref: string
  readonly mediaType: string
  readonly bytes: number
  readonly name?: string
}

/** What a provider wants back unread, such as a thought signature, under the provider's name. */
export type ProviderExtras = Readonly<Record<string, JsonObject>>

/** The words of a message, without reasoning, calls and media. */
export function textOf(message: Message): string {
  if (message.role === 'tool' || message.role === 'notice') return message.text
  let text = ''
  for (const part of message.parts) if (part.type === 'text') text += part.text
  return text
}

export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  const calls: ToolCall[] = []
  for (const part of message.parts) if (part.type === 'call') calls.push(part.call)
  return calls
}
