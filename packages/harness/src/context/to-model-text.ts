import { neutralise } from '../text/neutralise.ts'
import type { UntrustedSource } from '../text/untrusted-frame.ts'
import { frameUntrusted } from '../text/untrusted-frame.ts'
import type { Message, ToolMessage } from '../turn/message/message.ts'

/**
 * A message as a model reads it: a result from outside is framed, and no result can pass as a line of the harness. What is
 * stored and shown stays bare. The same message gives the same bytes, also after a restart. Pure.
 */
export function toModelText(message: Message): Message {
  if (message.role !== 'tool' || message.framed) return message
  if (message.from) return toFramed(message, message.from)
  const text = neutralise(message.text)
  return text === message.text ? message : { ...message, text }
}

function toFramed(message: ToolMessage, source: UntrustedSource): ToolMessage {
  const { from: _, own, ...rest } = message
  return { ...rest, text: frameUntrusted(rest.text, source, own), framed: true }
}
