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

/** How the agent uses its memory. */
export interface MastraSaving {
  /** Before the clock starts, or as the first thing that is measured. */
  readonly createsThread: 'before' | 'in time'
  /** Messages are written after each step, and not at the end of the turn. */
  readonly savePerStep?: boolean
}

/** The same agent with a memory. Each conversation is a new thread. */
export function mastraOn(
  memory: MastraMemory,
  { createsThread, savePerStep = false }: MastraSaving = { createsThread: 'before' },
): Subject {
  return {
    async open(stage) {
      const create = () => memory.createThread({ resourceId: 'bench' })
      const made = createsThread === 'before' ? await create() : undefined
      return open(stage, { memory, savePerStep, thread: async () => made ?? create() })
    },
  }
}

interface Saved {
  readonly memory: MastraMemory
  readonly savePerStep: boolean
  /** The thread of the conversation, asked for once. */
  thread(): ReturnType<MastraMemory['createThread']>
}

const inputSchema = z.strictObject({ i: z.number().describe(ARGUMENT_DESCRIPTION) })

function open({ instructions, tools, tape, maxIterations, onDelta }: Stage, saved?: Saved): Conversation {
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
    ...(saved ? { memory: saved.memory } : undefined),
  })
  let thread: { readonly id: string; readonly resourceId: string } | undefined
  const prepare = async () => {
    thread ??= await saved?.thread()
    const { id, resourceId } = thread ?? {}
    return {
      maxSteps: maxIterations,
      ...(id === undefined || resourceId === undefined
        ? undefined
        : { memory: { thread: id, resource: resourceId }, savePerStep: saved!.savePerStep }),
    }
  }

  return {
    addTool,
    async send(text) {
      if (saved) messages.length = 0
      messages.push({ role: 'user', content: text })
      const options = await prepare()
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
