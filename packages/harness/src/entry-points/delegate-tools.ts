import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { Tool, ToolContext } from '../turn/tool.ts'
import { defineTool } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail, succeed } from '../turn/tool-outcome.ts'
import type { Agent } from './agent.ts'
import type { Continuation, SubAgentResult } from './sub-agent.ts'
import { runSubAgent } from './sub-agent.ts'

/** One tool per sub-agent, and one to let a waiting child go on. */
export function createDelegateTools(agents: readonly AgentDefinition[], agent: Omit<Agent, 'tools'>): readonly Tool[] {
  const waiting = new WaitingChildren()
  return [...agents.map((definition) => delegateTool(definition, agent, waiting)), continueTool(agent, waiting)]
}

function delegateTool(definition: AgentDefinition, agent: Omit<Agent, 'tools'>, waiting: WaitingChildren): Tool {
  return defineTool({
    name: `delegate_to_${definition.id}`,
    description: definition.description,
    input: {
      type: 'object',
      properties: {
        prompt: { type: 'string', description: 'The task, complete in itself.' },
        context: { type: 'string', description: 'What it must know: it cannot see this conversation.' },
      },
      required: ['prompt'],
    },
    // A child that can only read may run beside others.
    effect: definition.effectCeiling ?? 'write',
    timeoutMs: false,
    label: (args) => ({ label: `Ask ${definition.id}`, detail: String(args['prompt'] ?? '') }),
    async run({ prompt, context }, { run, callId }: ToolContext) {
      const task = { prompt: String(prompt), ...(typeof context === 'string' ? { context } : undefined) }
      return waiting.tell(definition.id, await runSubAgent(definition, task, { agent, run, callId }))
    },
  })
}

function continueTool(agent: Omit<Agent, 'tools'>, waiting: WaitingChildren): Tool {
  return defineTool({
    name: 'continue_agent',
    description: 'Lets an agent that waits for an answer, or ran out of steps, go on where it stopped.',
    input: {
      type: 'object',
      properties: { token: { type: 'string' }, message: { type: 'string' } },
      required: ['token', 'message'],
    },
    timeoutMs: false,
    async run({ token, message }, { run, callId }: ToolContext) {
      const child = waiting.take(String(token))
      if (!child) return fail('No agent waits under this token.', { errorCode: 'ENOENT' })
      const task = { prompt: String(message) }
      return waiting.tell(child.definition.id, await runSubAgent(child.definition, task, { agent, run, callId }, child))
    },
  })
}

const MAX_WAITING = 100

/** Children that wait for an answer. The oldest is given up when there are too many. */
class WaitingChildren {
  readonly #children = new Map<string, Continuation>()

  take(token: string): Continuation | undefined {
    const child = this.#children.get(token)
    this.#children.delete(token)
    return child
  }

  /** What the parent reads of its child. Only `completed` can be read as success. */
  tell(id: string, { status, text, failure, continuation }: SubAgentResult): ToolOutcome {
    if (continuation) this.#keep(continuation)
    const goOn = continuation ? ` To let it go on, call continue_agent with token "${continuation.token}".` : ''
    switch (status) {
      case 'completed':
        return succeed(text)
      case 'awaiting-user':
        return succeed(
          `The agent "${id}" waits for an answer of the user. Relay its question and do not delegate again.${goOn}\n` +
            `Its question: ${text}`,
        )
      case 'incomplete':
        return fail(`The agent "${id}" did NOT finish. Do not report this as done.${goOn}\nSo far: ${text}`, { failure })
      case 'failed':
        return fail(`The agent "${id}" failed and its work is not done. Do not claim success.\n${text}`, { failure })
    }
  }

  #keep(child: Continuation): void {
    this.#children.set(child.token, child)
    if (this.#children.size > MAX_WAITING) this.#children.delete(this.#children.keys().next().value!)
  }
}
