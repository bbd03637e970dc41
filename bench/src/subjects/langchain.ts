import { randomUUID } from 'node:crypto'
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { BindToolsInput } from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { BaseCheckpointSaver } from '@langchain/langgraph'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import type { CanonicalMessage, CanonicalRequest, CanonicalTool } from '../canonical-request.ts'
import type { ScriptedReply } from '../script.ts'
import { ARGUMENT_DESCRIPTION } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'
import type { Tape } from '../tape.ts'

/**
 * `agent.invoke` without a listener, `agent.stream` in the `messages` and `values` modes with one, without a checkpointer or middleware; the caller carries the messages. Its default is 25 supersteps,
 * and an iteration takes two, so `recursionLimit` is raised. A late tool makes a new agent. Tracing is off.
 */
export const subject: Subject = { open: (stage) => open(stage) }

/** The same agent with a checkpointer, a new thread each time. A thread carries its messages itself. */
export function langchainOn(persistence: LangchainPersistence): Subject {
  return { open: (stage) => open(stage, persistence) }
}

export interface LangchainPersistence {
  readonly checkpointer: BaseCheckpointSaver
  readonly durability: 'sync' | 'async' | 'exit'
}

const schema = z.strictObject({ i: z.number().describe(ARGUMENT_DESCRIPTION) })

function open(
  { instructions, tools, tape, maxIterations, onDelta }: Stage,
  persistence?: LangchainPersistence,
): Conversation {
  const offered = tools.map(toTool)
  const model = new FakeChatModel(tape)
  const assemble = () =>
    createAgent({
      model,
      tools: [...offered],
      systemPrompt: instructions,
      ...(persistence ? { checkpointer: persistence.checkpointer } : undefined),
    })
  let agent = assemble()
  let messages: BaseMessage[] = []
  const options = {
    recursionLimit: 2 * maxIterations + 1,
    ...(persistence
      ? { durability: persistence.durability, configurable: { thread_id: randomUUID() } }
      : undefined),
  }
  return {
    addTool: (added) => {
      offered.push(toTool(added))
      agent = assemble()
    },
    async send(text) {
      const message = new HumanMessage(text)
      const input = { messages: persistence ? [message] : [...messages, message] }
      if (!onDelta) {
        messages = (await agent.invoke(input, options)).messages
      } else {
        const stream = await agent.stream(input, { ...options, streamMode: ['messages', 'values'] })
        for await (const [mode, chunk] of stream) {
          if (mode === 'values') messages = chunk.messages
          else if (AIMessageChunk.isInstance(chunk[0]) && chunk[0].text) onDelta(chunk[0].text)
        }
      }
      return messages.at(-1)?.text ?? ''
    },
  }
}

function toTool(added: BenchTool) {
  return tool((args: { i: number }) => added.run(args), {
    name: added.name,
    description: added.description,
    schema,
  })
}

class FakeChatModel extends BaseChatModel {
  readonly #tape: Tape
  readonly #tools: readonly BindToolsInput[]

  constructor(tape: Tape, tools: readonly BindToolsInput[] = []) {
    super({})
    this.#tape = tape
    this.#tools = tools
  }

  _llmType(): string {
    return 'bench'
  }

  override bindTools(tools: BindToolsInput[]): FakeChatModel {
    return new FakeChatModel(this.#tape, tools)
  }

  _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const reply = this.#nextReply(messages)
    const calls = reply.calls.map((call) => ({ id: call.id, name: call.tool, args: { ...call.args } }))
    const message = new AIMessage({ content: reply.text, tool_calls: calls })
    return Promise.resolve({ generations: [{ text: reply.text, message }] })
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    watcher?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reply = this.#nextReply(messages)
    for (const delta of reply.deltas) {
      const chunk = toChunk(delta, { content: delta })
      yield chunk
      // A chat model reports its tokens itself; without this the `messages` mode stays silent.
      await watcher?.handleLLMNewToken(delta, undefined, undefined, undefined, undefined, { chunk })
    }
    if (reply.calls.length === 0) return
    const calls = reply.calls.map((call, index) => ({
      type: 'tool_call_chunk' as const,
      id: call.id,
      name: call.tool,
      args: call.argumentsText,
      index,
    }))
    yield toChunk('', { content: '', tool_call_chunks: calls })
  }

  #nextReply(messages: BaseMessage[]): ScriptedReply {
    return this.#tape.nextReply(messages, (request) => readRequest(request, this.#tools))
  }
}

function toChunk(
  text: string,
  fields: Exclude<ConstructorParameters<typeof AIMessageChunk>[0], string>,
): ChatGenerationChunk {
  return new ChatGenerationChunk({ text, message: new AIMessageChunk(fields) })
}

function readRequest(messages: readonly BaseMessage[], tools: readonly BindToolsInput[]): CanonicalRequest {
  const system = messages[0]?.type === 'system' ? messages[0].text : ''
  return {
    tools: tools.map(readTool),
    system,
    history: messages.slice(system ? 1 : 0).map(readMessage),
  }
}

function readTool(offered: BindToolsInput): CanonicalTool {
  const { name, description = '', parameters } = convertToOpenAITool(offered).function
  return { name, description, parameters }
}

function readMessage(message: BaseMessage): CanonicalMessage {
  const { text } = message
  if (ToolMessage.isInstance(message)) return { role: 'tool', id: message.tool_call_id, text }
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ id, tool: name, args }))
    return { role: 'assistant', text, calls }
  }
  return { role: message.type === 'system' ? 'system' : 'user', text }
}
