import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { createFakeV4Model } from '../fakes/fake-v4-model.ts'
import { INPUT_SCHEMA } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'

/** The smallest possible loop: call, read, run, append. No checks, no events, no limits. */
export const subject: Subject = { open }

function open({ instructions, tools, tape, onDelta }: Stage): Conversation {
  const model = createFakeV4Model(tape)
  const byName = new Map<string, BenchTool>()
  const declared: LanguageModelV4FunctionTool[] = []
  const prompt: LanguageModelV4Message[] = [{ role: 'system', content: instructions }]

  function addTool(tool: BenchTool): void {
    byName.set(tool.name, tool)
    declared.push({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: INPUT_SCHEMA,
    })
  }
  for (const tool of tools) addTool(tool)

  return {
    addTool,
    async send(text) {
      prompt.push({ role: 'user', content: [{ type: 'text', text }] })
      for (;;) {
        const { stream } = await model.doStream({ prompt, tools: declared })
        const reader = stream.getReader()
        const assistant: Extract<LanguageModelV4Message, { role: 'assistant' }> = {
          role: 'assistant',
          content: [],
        }
        const results: Extract<LanguageModelV4Message, { role: 'tool' }> = { role: 'tool', content: [] }
        let reply = ''
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          const part = read.value
          if (part.type === 'text-delta') {
            reply += part.delta
            onDelta?.(part.delta)
          } else if (part.type === 'tool-call') {
            const { toolCallId, toolName } = part
            const input: { readonly i: number } = JSON.parse(part.input)
            assistant.content.push({ type: 'tool-call', toolCallId, toolName, input })
            const value = await byName.get(toolName)!.run(input)
            results.content.push({
              type: 'tool-result',
              toolCallId,
              toolName,
              output: { type: 'text', value },
            })
          }
        }
        if (reply) assistant.content.unshift({ type: 'text', text: reply })
        prompt.push(assistant)
        if (results.content.length === 0) return reply
        prompt.push(results)
      }
    },
  }
}
