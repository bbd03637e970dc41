import { cutText } from '../text/cut-text.ts'
import { scrubSecrets } from '../tool-path/scrub/scrub-secrets.ts'
import type { JsonValue } from '../turn/json.ts'
import type { AssistantPart, Message } from '../turn/message/message.ts'
import { textOf } from '../turn/message/message.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'

/** The most characters of one attribute. */
const MAX_CHARS = 32_000

/**
 * Writes contents as attributes: as JSON in the form of the conventions, scrubbed and cut. Known secrets are hidden in
 * messages and results before they come here. Media are left out.
 */
export interface ContentWriter {
  text(text: string): string
  value(value: unknown): string
  messages(messages: readonly Message[]): string
  reply(reply: ModelReply): string
}

export function createContentWriter(): ContentWriter {
  const text = (whole: string): string => cutText(scrubSecrets(whole), MAX_CHARS)
  const value = (any: unknown): string => text(JSON.stringify(any) ?? '')
  return {
    text,
    value,
    messages: (messages) => value(lastOf(messages).map(toMessage)),
    reply: ({ parts, finish }) =>
      value([{ role: 'assistant', parts: parts.map(toReplyPart), finish_reason: finish }]),
  }
}

/** The newest messages that fit, so that the cut removes the oldest ones. */
function lastOf(messages: readonly Message[]): readonly Message[] {
  let chars = 0
  let from = messages.length
  while (from > 0 && (chars += JSON.stringify(messages[from - 1]).length) < MAX_CHARS) from--
  return messages.slice(Math.min(from, messages.length - 1))
}

function toMessage(message: Message): JsonValue {
  switch (message.role) {
    case 'tool':
      return {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: message.callId, response: message.text }],
      }
    case 'assistant':
      return { role: 'assistant', parts: message.parts.map(toAssistantPart) }
    case 'notice':
      return { role: 'user', parts: [{ type: 'text', content: message.text }] }
    case 'user':
      return { role: 'user', parts: [{ type: 'text', content: textOf(message) }] }
  }
}

function toAssistantPart(part: AssistantPart): JsonValue {
  if (part.type !== 'call') return { type: part.type, content: part.text }
  const { id, tool, arguments: args } = part.call
  return { type: 'tool_call', id, name: tool, arguments: args }
}

function toReplyPart(part: ModelReply['parts'][number]): JsonValue {
  if (part.type !== 'raw-call') return { type: part.type, content: part.text }
  return { type: 'tool_call', id: part.id, name: part.tool, arguments: part.argumentsText }
}
