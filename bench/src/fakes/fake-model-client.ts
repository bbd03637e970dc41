import type { Message, ModelClient } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import { textOf } from '@capstan/harness'
import { callsOf } from '@capstan/harness/seams'
import type { CanonicalMessage, CanonicalRequest } from '../canonical-request.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import type { Tape } from '../tape.ts'

const USAGE = {
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0,
}

/** The fake in Capstan's own model interface, as pi, LangChain and OpenAI Agents get one in theirs. */
export function createFakeModelClient(tape: Tape): ModelClient {
  return {
    id: 'bench/scripted',
    abilities: { tools: true, images: false, files: [] },
    async stream(request, _signal, onPart) {
      const reply = tape.nextReply(request, readRequest)
      if (tape.pause) await tape.pause()
      for (const delta of reply.deltas) {
        const slow = onPart({ type: 'text', delta })
        if (slow) await slow
      }
      for (const { id, tool, argumentsText } of reply.calls) {
        const slow = onPart({ type: 'call', id, tool, argumentsText })
        if (slow) await slow
      }
      await onPart({ type: 'finish', reason: reply.calls.length > 0 ? 'tool-calls' : 'stop', usage: USAGE })
    },
  }
}

function readRequest({ system, tools, messages }: ModelRequest): CanonicalRequest {
  return {
    tools: tools.map(({ name, description, input }) => ({
      name,
      description,
      parameters: '~standard' in input ? INPUT_SCHEMA : input,
    })),
    system,
    history: messages.map(readMessage),
  }
}

function readMessage(message: Message): CanonicalMessage {
  if (message.role === 'tool') return { role: 'tool', id: message.callId, text: message.text }
  if (message.role === 'assistant') {
    const calls = callsOf(message).map(({ id, tool, arguments: args }) => ({ id, tool, args }))
    return { role: 'assistant', text: textOf(message), calls }
  }
  const preface = message.role === 'user' ? (message.preface ?? '') : ''
  return { role: 'user', text: preface + textOf(message) }
}
