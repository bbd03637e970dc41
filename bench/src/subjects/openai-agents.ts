import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import type { AgentInputItem, Model, ModelRequest, Session, StreamEvent, Tool } from '@openai/agents'
import { z } from 'zod'
import type { CanonicalMessage, CanonicalRequest } from '../canonical-request.ts'
import type { ScriptedReply } from '../script.ts'
import { ARGUMENT_DESCRIPTION } from '../subject.ts'
import type { BenchTool, Conversation, Stage, Subject } from '../subject.ts'
import type { Tape } from '../tape.ts'

/**
 * `run` without a listener, `run` with `stream: true` with one; the conversation is the result's
 * `history`, and a late tool makes a cloned agent. Its default is ten turns, so `maxTurns` is raised. Tracing
 * is off.
 */
export const subject: Subject = { open: (stage) => open(stage) }

/** The same, with the conversation in a session: a new one each time. */
export function openaiAgentsOn(createSession: () => Session): Subject {
  return { open: (stage) => open(stage, createSession()) }
}

setTracingDisabled(true)

const parameters = z.object({ i: z.number().describe(ARGUMENT_DESCRIPTION) })

function open({ instructions, tools, tape, maxIterations, onDelta }: Stage, session?: Session): Conversation {
  let agent = new Agent({ name: 'bench', instructions, model: createModel(tape), tools: tools.map(toTool) })
  let history: AgentInputItem[] = []
  const options = session ? { maxTurns: maxIterations, session } : { maxTurns: maxIterations }
  return {
    addTool: (added) => {
      agent = agent.clone({ tools: [...agent.tools, toTool(added)] })
    },
    async send(text) {
      const message: AgentInputItem = { role: 'user', content: text }
      const input = session ? [message] : [...history, message]
      if (!onDelta) {
        const result = await run(agent, input, options)
        history = result.history
        return result.finalOutput ?? ''
      }
      const result = await run(agent, input, { ...options, stream: true })
      for await (const event of result) {
        if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
          onDelta(event.data.delta)
        }
      }
      await result.completed
      history = result.history
      return result.finalOutput ?? ''
    },
  }
}

function toTool(added: BenchTool): Tool {
  return tool({
    name: added.name,
    description: added.description,
    parameters,
    execute: (args) => added.run(args),
  })
}

function createModel(tape: Tape): Model {
  return {
    getResponse: (request) =>
      Promise.resolve({ usage: toUsage(), output: toOutput(tape.nextReply(request, readRequest)) }),
    async *getStreamedResponse(request): AsyncIterable<StreamEvent> {
      const reply = tape.nextReply(request, readRequest)
      yield { type: 'response_started' }
      for (const delta of reply.deltas) yield { type: 'output_text_delta', delta }
      yield {
        type: 'response_done',
        response: {
          id: 'response',
          usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110 },
          output: toOutput(reply),
        },
      }
    },
  }
}

function toUsage(): Usage {
  return new Usage({ inputTokens: 100, outputTokens: 10, totalTokens: 110 })
}

type OutputItem = Extract<StreamEvent, { type: 'response_done' }>['response']['output'][number]

function toOutput(reply: ScriptedReply): OutputItem[] {
  const output: OutputItem[] = []
  if (reply.text) {
    output.push({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.text }],
    })
  }
  for (const call of reply.calls) {
    output.push({
      type: 'function_call',
      callId: call.id,
      name: call.tool,
      arguments: call.argumentsText,
      status: 'completed',
    })
  }
  return output
}

function readRequest({ tools, systemInstructions, input }: ModelRequest): CanonicalRequest {
  return {
    tools: tools.flatMap((each) =>
      each.type === 'function'
        ? [{ name: each.name, description: each.description, parameters: each.parameters }]
        : [],
    ),
    system: systemInstructions ?? '',
    history: typeof input === 'string' ? [{ role: 'user', text: input }] : input.flatMap(readItem),
  }
}

function readItem(item: AgentInputItem): readonly CanonicalMessage[] {
  if (item.type === 'function_call') {
    const call = { id: item.callId, tool: item.name, args: JSON.parse(item.arguments) as unknown }
    return [{ role: 'assistant', text: '', calls: [call] }]
  }
  if (item.type === 'function_call_result')
    return [{ role: 'tool', id: item.callId, text: textIn(item.output) }]
  if (!('role' in item)) return []
  const text = textIn(item.content)
  return item.role === 'assistant' ? [{ role: 'assistant', text, calls: [] }] : [{ role: item.role, text }]
}

type Content = { readonly type: string } & { readonly text?: string }

function textIn(content: string | Content | readonly Content[]): string {
  if (typeof content === 'string') return content
  return (Array.isArray(content) ? content : [content]).map((part: Content) => part.text ?? '').join('')
}
