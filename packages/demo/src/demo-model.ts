import { fromIterable } from '@capstan/harness/models'
import { callsOf } from '@capstan/harness/seams'
import type { Message, ModelClient } from '@capstan/harness'
import type { ModelPart, ModelRequest } from '@capstan/harness/models'
import { NO_USAGE } from '@capstan/protocol'
import { nextReply } from './demo-script.ts'
import type { Pace } from './pace.ts'
import { pause } from './pace.ts'

/** How the demo model is labelled wherever it is shown. */
export const DEMO_LABEL = 'Demo model: scripted, offline, no key needed'

/** A model that follows a script. It works offline, costs nothing and says that it is a script. */
export function createDemoModel({ thinkMs, wordMs }: Pace): ModelClient {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const reply = nextReply(request)
    await pause(thinkMs, signal)
    for (const delta of reply.text.match(/\S+\s*|^\s+/g) ?? []) {
      yield { type: 'text', delta }
      await pause(wordMs, signal)
    }
    // Counted from the conversation, so that ids stay unique when another process resumes the turn.
    let calls = countCalls(request.messages)
    for (const { tool, args } of reply.calls ?? []) {
      yield { type: 'call', id: `demo-${++calls}`, tool, argumentsText: JSON.stringify(args) }
    }
    const usage = { ...NO_USAGE, inputTokens: toTokens(request.messages), outputTokens: toTokens(reply) }
    yield { type: 'finish', reason: reply.calls ? 'tool-calls' : 'stop', usage }
  }

  // It accepts attachments and says that it cannot look at them.
  const abilities = { tools: true, images: true, files: ['application/pdf'] }
  return { id: 'demo/scripted', abilities, stream: fromIterable(stream) }
}

function countCalls(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? callsOf(message).length : 0),
    0,
  )
}

/** About four characters to a token, as everywhere. */
const toTokens = (content: unknown): number => Math.ceil(JSON.stringify(content).length / 4)
