import type { AgentDefinition } from '../../agents/agent-definition.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import { calls, withoutFrame } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'

/** A plain agent definition. */
export const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  id,
  description: `Works as ${id}.`,
  instructions: `You are ${id}.`,
  ...more,
})

/** A reply that delegates to an agent. */
export const delegate = (id: string, prompt = 'do it') => calls(`delegate_to_${id}`, { prompt })

/** The tool results in a request, without their frames. */
export const resultsIn = (request: ModelRequest) =>
  request.messages.filter(({ role }) => role === 'tool').map((message) => withoutFrame(textOf(message)))
