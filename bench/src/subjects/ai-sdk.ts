import { generateText, isStepCount, streamText, tool } from 'ai'
import type { ModelMessage, ToolSet } from 'ai'
import { z } from 'zod'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import { ARGUMENT_DESCRIPTION } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'

/**
 * `generateText` without a listener, `streamText` with one; the conversation is the caller's
 * array of messages, and a late tool is one more entry of `tools` in the next call. Its default is one step,
 * so `stopWhen` is raised. Telemetry is off by default.
 */
export const subject: Subject = { open }

globalThis.AI_SDK_LOG_WARNINGS = false

const inputSchema = z.strictObject({ i: z.number().describe(ARGUMENT_DESCRIPTION) })

function open({ instructions, tools, tape, maxIterations, onDelta }: Stage): Conversation {
  const model = createFakeV4Model(tape)
  const toolSet: ToolSet = {}
  const messages: ModelMessage[] = []
  const stopWhen = isStepCount(maxIterations)

  function addTool(added: BenchTool): void {
    toolSet[added.name] = tool({
      description: added.description,
      inputSchema,
      execute: (args) => added.run(args),
    })
  }
  for (const each of tools) addTool(each)

  return {
    addTool,
    async send(text) {
      messages.push({ role: 'user', content: text })
      const options = { model, instructions, messages, tools: { ...toolSet }, stopWhen, maxRetries: 0 }
      if (!onDelta) {
        const result = await generateText(options)
        messages.push(...result.responseMessages)
        return result.text
      }
      const result = streamText(options)
      for await (const delta of result.textStream) onDelta(delta)
      messages.push(...(await result.responseMessages))
      return result.text
    },
  }
}
