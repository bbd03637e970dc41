import { Agent } from '@mastra/core/agent'
import type { ToolsInput } from '@mastra/core/agent'
import type { MessageInput } from '@mastra/core/agent/message-list'
import type { MastraModelConfig } from '@mastra/core/llm'
import type { MastraMemory } from '@mastra/core/memory'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import { ARGUMENT_DESCRIPTION } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'

/**
 * `agent.generate` without a listener, `agent.stream` with one, without memory, storage,
 * observability or processors; the caller carries the messages. Its default is five steps, so `maxSteps` is
 * raised. A late tool comes through the function that `tools` may be.
 */
export const subject: Subject = { open: (stage) => open(stage) }

/** The same agent with a memory. Each conversation is a new thread, created before its first message. */
export function mastraOn(memory: MastraMemory): Subject {
  return { open: (stage) => open(stage, memory) }
}

const inputSchema = z.strictObject({ i: z.number().describe(ARGUMENT_DESCRIPTION) })

async function open(
  { instructions, tools, tape, maxIterations, onDelta }: Stage,
  memory?: MastraMemory,
): Promise<Conversation> {
  const toolSet: ToolsInput = {}
  const messages: MessageInput[] = []
  function addTool(added: BenchTool): void {
    toolSet[added.name] = createTool({
      id: added.name,
      description: added.description,
      inputSchema,
      execute: (args) => Promise.resolve(added.run(args)),
    })
  }
  for (const each of tools) addTool(each)

  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types of V4 are an earlier patch's
    model: createFakeV4Model(tape) as unknown as MastraModelConfig,
    tools: () => toolSet,
    maxRetries: 0,
    ...(memory ? { memory } : undefined),
  })
  const thread = await memory?.createThread({ resourceId: 'bench' })
  const options = {
    maxSteps: maxIterations,
    ...(thread ? { memory: { thread: thread.id, resource: thread.resourceId } } : undefined),
  }

  return {
    addTool,
    async send(text) {
      if (memory) messages.length = 0
      messages.push({ role: 'user', content: text })
      if (!onDelta) {
        const result = await agent.generate(messages, options)
        if (result.error) throw result.error
        messages.push(...result.response.messages!)
        return result.text
      }
      const result = await agent.stream(messages, options)
      for await (const delta of result.textStream) onDelta(delta)
      messages.push(...(await result.response).messages!)
      return result.text
    },
  }
}
