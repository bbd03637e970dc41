import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { CanonicalMessage, CanonicalRequest } from '../canonical-request.ts'
import type { ScriptedReply } from '../script.ts'
import type { Tape } from '../tape.ts'

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
}
const STOPPED: LanguageModelV4FinishReason = { unified: 'stop', raw: 'stop' }
const CALLED: LanguageModelV4FinishReason = { unified: 'tool-calls', raw: 'tool_calls' }

/** The fake for every subject that takes an AI SDK model. */
export function createFakeV4Model(tape: Tape): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(options) {
      const reply = tape.nextReply(options, readV4Request)
      if (tape.pause) await tape.pause()
      return {
        content: toContent(reply),
        finishReason: finishReason(reply),
        usage: USAGE,
        warnings: [],
      }
    },
    async doStream(options) {
      const reply = tape.nextReply(options, readV4Request)
      if (tape.pause) await tape.pause()
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            enqueueReply(controller, reply)
            controller.close()
          },
        }),
      }
    },
  }
}

function enqueueReply(
  controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
  reply: ScriptedReply,
): void {
  controller.enqueue({ type: 'stream-start', warnings: [] })
  if (reply.deltas.length > 0) {
    controller.enqueue({ type: 'text-start', id: '0' })
    for (const delta of reply.deltas) controller.enqueue({ type: 'text-delta', id: '0', delta })
    controller.enqueue({ type: 'text-end', id: '0' })
  }
  for (const call of reply.calls) {
    controller.enqueue({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.tool,
      input: call.argumentsText,
    })
  }
  controller.enqueue({ type: 'finish', usage: USAGE, finishReason: finishReason(reply) })
}

function toContent(reply: ScriptedReply): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = []
  if (reply.text) content.push({ type: 'text', text: reply.text })
  for (const call of reply.calls) {
    content.push({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.tool,
      input: call.argumentsText,
    })
  }
  return content
}

function finishReason(reply: ScriptedReply): LanguageModelV4FinishReason {
  return reply.calls.length > 0 ? CALLED : STOPPED
}

function readV4Request({ prompt, tools = [] }: LanguageModelV4CallOptions): CanonicalRequest {
  const system: string[] = []
  for (const message of prompt) {
    if (message.role !== 'system') break
    system.push(message.content)
  }
  return {
    tools: tools.map((tool) =>
      tool.type === 'function'
        ? { name: tool.name, description: tool.description ?? '', parameters: tool.inputSchema }
        : { name: tool.name, description: tool.id, parameters: tool.args },
    ),
    system: system.join('\n'),
    history: prompt.slice(system.length).flatMap(readMessage),
  }
}

function readMessage(message: LanguageModelV4Message): readonly CanonicalMessage[] {
  if (message.role === 'system') return [{ role: 'system', text: message.content }]
  if (message.role === 'user') return [{ role: 'user', text: textIn(message.content) }]
  if (message.role === 'assistant') {
    const calls = message.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, args: part.input }] : [],
    )
    return [{ role: 'assistant', text: textIn(message.content), calls }]
  }
  return message.content.flatMap((part) =>
    part.type === 'tool-result'
      ? [{ role: 'tool' as const, id: part.toolCallId, text: outputText(part.output) }]
      : [],
  )
}

function textIn(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function outputText(output: LanguageModelV4ToolResultPart['output']): string {
  if (output.type === 'execution-denied') return output.reason ?? 'denied'
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
}
