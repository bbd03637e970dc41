import { Agent } from '@earendil-works/pi-agent-core'
import type { AgentTool } from '@earendil-works/pi-agent-core'
import {
  createAssistantMessageEventStream,
  getInitialSystemMessage,
  resolveTranscript,
  Type,
} from '@earendil-works/pi-ai'
import type {
  AssistantMessage,
  AssistantMessageEventStream,
  Message,
  Model,
  Tool,
  TranscriptContext,
  Usage,
} from '@earendil-works/pi-ai'
import type { CanonicalMessage, CanonicalRequest, CanonicalTool } from '../canonical-request.ts'
import type { ScriptedReply } from '../script.ts'
import { ARGUMENT_DESCRIPTION } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'

/**
 * pi always streams and has no cap on iterations. Its transcript carries the tools: a late one is appended
 * as a system message, which providers that accept those mid-conversation get in place. `pi-collapsed` is
 * what pi sends to all other providers: one leading system message, rebuilt.
 */
export const subject: Subject = {
  open: (stage) => open(stage, (context) => context),
  variants: {
    'pi-collapsed': { open: (stage) => open(stage, (context) => resolveTranscript(context, false)) },
  },
}

export const MODEL: Model<'bench'> = {
  id: 'scripted',
  name: 'Scripted',
  api: 'bench',
  provider: 'bench',
  baseUrl: 'http://localhost:0',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 10_000,
}

export const PARAMETERS = Type.Object(
  { i: Type.Number({ description: ARGUMENT_DESCRIPTION }) },
  { additionalProperties: false },
)

const USAGE: Usage = {
  input: 100,
  output: 10,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 110,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

function open(
  { instructions, tools, tape, onDelta }: Stage,
  toProviderForm: (context: TranscriptContext) => TranscriptContext,
): Conversation {
  const agent = new Agent({
    initialState: { systemPrompt: instructions, model: MODEL, tools: tools.map(toAgentTool) },
    streamFn: async (_model, context) => {
      const reply = tape.nextReply(context, (request) => readRequest(toProviderForm(request)))
      if (tape.pause) await tape.pause()
      return streamReply(reply)
    },
  })
  if (onDelta) {
    agent.subscribe((event) => {
      if (event.type !== 'message_update') return
      if (event.assistantMessageEvent.type === 'text_delta') onDelta(event.assistantMessageEvent.delta)
    })
  }
  return {
    addTool: (tool) => {
      agent.state.tools = [...agent.state.tools, toAgentTool(tool)]
    },
    async send(text) {
      await agent.prompt(text)
      if (agent.state.errorMessage) throw new Error(agent.state.errorMessage)
      const last = agent.state.messages.at(-1)
      return last?.role === 'assistant' ? textIn(last.content) : ''
    },
  }
}

function toAgentTool(tool: BenchTool): AgentTool<typeof PARAMETERS> {
  return {
    name: tool.name,
    label: tool.name,
    description: tool.description,
    parameters: PARAMETERS,
    execute: async (_callId, args) => ({
      content: [{ type: 'text', text: await tool.run(args) }],
      details: undefined,
    }),
  }
}

/** With `startsCalls` a start event comes before each call. The harness needs it, the agent does not. */
export function streamReply(
  reply: ScriptedReply,
  { startsCalls = false }: { readonly startsCalls?: boolean } = {},
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream()
  const reason = reply.calls.length > 0 ? 'toolUse' : 'stop'
  const message: AssistantMessage = {
    role: 'assistant',
    content: [],
    api: MODEL.api,
    provider: MODEL.provider,
    model: MODEL.id,
    usage: USAGE,
    stopReason: reason,
    timestamp: Date.now(),
  }
  stream.push({ type: 'start', partial: message })
  if (reply.deltas.length > 0) {
    message.content.push({ type: 'text', text: reply.text })
    stream.push({ type: 'text_start', contentIndex: 0, partial: message })
    for (const delta of reply.deltas) {
      stream.push({ type: 'text_delta', contentIndex: 0, delta, partial: message })
    }
    stream.push({ type: 'text_end', contentIndex: 0, content: reply.text, partial: message })
  }
  for (const call of reply.calls) {
    const toolCall = {
      type: 'toolCall' as const,
      id: call.id,
      name: call.tool,
      arguments: JSON.parse(call.argumentsText),
    }
    const contentIndex = message.content.push(toolCall) - 1
    if (startsCalls) stream.push({ type: 'toolcall_start', contentIndex, partial: message })
    stream.push({ type: 'toolcall_end', contentIndex, toolCall, partial: message })
  }
  stream.push({ type: 'done', reason, message })
  return stream
}

export function readRequest({ messages }: TranscriptContext): CanonicalRequest {
  const leading = getInitialSystemMessage(messages)
  return {
    tools: (leading?.toolsAdded ?? []).map(readTool),
    system: leading ? textIn(leading.content) : '',
    history: messages.slice(leading ? 1 : 0).map(readMessage),
  }
}

function readMessage(message: Message): CanonicalMessage {
  if (message.role === 'system') {
    return { role: 'system', text: textIn(message.content), tools: (message.toolsAdded ?? []).map(readTool) }
  }
  if (message.role === 'user') return { role: 'user', text: textIn(message.content) }
  if (message.role === 'toolResult')
    return { role: 'tool', id: message.toolCallId, text: textIn(message.content) }
  const calls = message.content.flatMap((part) =>
    part.type === 'toolCall' ? [{ id: part.id, tool: part.name, args: part.arguments }] : [],
  )
  return { role: 'assistant', text: textIn(message.content), calls }
}

function readTool({ name, description, parameters }: Tool): CanonicalTool {
  return { name, description, parameters }
}

export function textIn(
  content: string | readonly { readonly type: string; readonly text?: string }[],
): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
