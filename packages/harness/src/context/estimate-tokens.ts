import type { Message } from '../turn/message/message.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'

/** The estimate for an image or file of any size: its bytes are not text. */
export const MEDIA_TOKENS = 1_200
const CHARS_PER_TOKEN = 4

/** A quarter of the characters. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

/** A cheap estimate, made once per message when it joins the history. */
export function estimateTokens(message: Message): number {
  let chars = 0
  let media = 0
  if (message.role === 'tool' || message.role === 'notice') chars = message.text.length
  else {
    if (message.role === 'user') chars = message.preface?.length ?? 0
    for (const part of message.parts) {
      if (part.type === 'text' || part.type === 'reasoning') chars += part.text.length
      else if (part.type === 'call') chars += part.call.tool.length + argumentChars(part.call.arguments)
      else media++
    }
  }
  if (message.role === 'tool') media = message.media?.length ?? 0
  return Math.ceil(chars / CHARS_PER_TOKEN) + media * MEDIA_TOKENS
}

/** The estimate for a reply once it is a message. */
export function estimateReply(parts: ModelReply['parts']): number {
  let chars = 0
  for (const part of parts) {
    chars += part.type === 'raw-call' ? part.tool.length + part.argumentsText.length : part.text.length
  }
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

function argumentChars(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  let chars = 2
  for (const [key, inner] of Object.entries(value)) chars += key.length + 4 + argumentChars(inner)
  return chars
}
