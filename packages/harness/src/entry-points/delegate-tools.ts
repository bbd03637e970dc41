import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { Tool, ToolContext } from '../turn/tool.ts'
import { defineTool } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail, succeed } from '../turn/tool-outcome.ts'
import type { Agent } from './agent.ts'
import type { Continuation, SubAgentResult, SubAgentTask } from './sub-agent.ts'
import { runSubAgent } from './sub-agent.ts'

/** One tool per sub-agent, and one to let a waiting child go on. */
export function createDelegateTools(
  agents: readonly AgentDefinition[],
  agent: Omit<Agent, 'tools'>,
): readonly Tool[] {
  const waiting = new WaitingChildren()
  return [
    ...agents.map((definition) => delegateTool(definition, agent, waiting)),
    continueTool(agent, waiting),
  ]
}

function delegateTool(
  definition: AgentDefinition,
  agent: Omit<Agent, 'tools'>,
  waiting: WaitingChildren,
): Tool {
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
    label: ({ prompt }) => ({
      label: `Ask ${definition.id}`,
      ...(typeof prompt === 'string' ? { detail: prompt } : undefined),
    }),
    async run(args, { run, callId }: ToolContext) {
      const task = args as unknown as SubAgentTask // the schema has been checked
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
    async run(args, { run, callId }: ToolContext) {
      const { token, message } = args as { token: string; message: string }
      const child = waiting.take(token)
      if (!child) return fail('No agent waits under this token.', { errorCode: 'ENOENT' })
      const { definition } = child
      const result = await runSubAgent(definition, { prompt: message }, { agent, run, callId }, child)
      return waiting.tell(definition.id, result)
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
    const goOn = continuation
      ? ` To let it go on, call continue_agent with token "${continuation.token}".`
      : ''
    switch (status) {
      case 'completed':
        return succeed(text)
      case 'awaiting-user':
        return succeed(
          `The agent "${id}" waits for an answer of the user. Relay its question and do not delegate again.${goOn}\n` +
            `Its question: ${text}`,
        )
      case 'incomplete':
        return fail(`The agent "${id}" did NOT finish. Do not report this as done.${goOn}\nSo far: ${text}`, {
          failure,
        })
      case 'failed':
        return fail(`The agent "${id}" failed and its work is not done. Do not claim success.\n${text}`, {
          failure,
        })
    }
  }

  #keep(child: Continuation): void {
    this.#children.set(child.token, child)
    if (this.#children.size > MAX_WAITING) this.#children.delete(this.#children.keys().next().value!)
  }
}
