import { NO_USAGE } from '@capstan/protocol'
import type { ModelReply, RawCall } from '../../../turn/message/model-reply.ts'

/** A complete reply that consists of text. */
export function replyOf(text: string): ModelReply {
  return { parts: [{ type: 'text', text }], text, finish: 'stop', usage: NO_USAGE }
}

/** A reply with native calls. */
export function replyWithCalls(text: string, ...calls: readonly Omit<RawCall, 'type'>[]): ModelReply {
  const parts = calls.map((call): RawCall => ({ type: 'raw-call', ...call }))
  return { ...replyOf(text), parts: [{ type: 'text', text }, ...parts], finish: 'tool-calls' }
}
