import { ThreadFlow } from '../data-flow/thread-flow.ts'
import { noteUserMessage } from '../turn/flow-tracker.ts'
import type { Message } from '../turn/message/message.ts'
import { callsOf } from '../turn/message/message.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import { effectOf } from '../turn/tool/tool.ts'
import type { AgentOptions } from './agent-options.ts'

/** Opens the data flow of a thread that has read nothing yet. */
export function openFlow({ safety }: Pick<AgentOptions, 'safety'>): ThreadFlow {
  const hosts = safety?.hosts ?? []
  return new ThreadFlow({ hosts: typeof hosts === 'function' ? hosts : () => hosts })
}

/** Opens the data flow of a conversation whose earlier messages the caller keeps. */
export function openFlowAfter(
  options: Pick<AgentOptions, 'safety' | 'origin'>,
  messages: readonly Message[],
  surface: Surface | undefined,
): ThreadFlow {
  const flow = openFlow(options)
  const calls = new Map<string, ToolCall>()
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of callsOf(message)) calls.set(call.id, call)
    if (message.role === 'user') {
      const [first] = message.parts
      const text = first?.type === 'text' ? first.text : ''
      noteUserMessage(flow, { text, origin: options.origin ?? 'unlabelled', message })
    }
    if (message.role === 'tool') {
      const { callId, tool: name, text } = message
      const target = surface?.resolve(calls.get(callId) ?? { tool: name, arguments: {} })
      const args = target?.arguments ?? {}
      if (target?.tool) flow.returned({ tool: target.tool, effect: effectOf(target.tool, args), args }, text)
      else flow.restoreResult({ tool: name, args, text, callId })
    }
  }
  return flow
}
