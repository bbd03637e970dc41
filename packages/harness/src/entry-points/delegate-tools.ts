import type { AgentDefinition } from '../agents/agent-definition.ts'
import { hasOpenChild } from '../turn/run-context.ts'
import type { Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool, lowerEffect } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import type { ParentAgent } from './agent.ts'
import type { SubAgentResult, SubAgentTask, WaitingChild } from './child-run.ts'
import { openChild, runChild } from './child-run.ts'

/** Creates one tool per sub-agent, and one that continues a waiting child. A tool stays the same object until its schema changes. */
export function createDelegateTools(
  agents: readonly AgentDefinition[],
  agent: ParentAgent,
): () => readonly Tool[] {
  const waiting = new WaitingChildren()
  const delegation: Delegation = { agents, agent, waiting }
  const made = new Map<string, Tool>()
  const toTool = (definition: AgentDefinition): Tool => {
    const input = inputOf(definition)
    const before = made.get(definition.id)
    const tool = before?.input === input ? before : delegateTool(definition, input, delegation)
    made.set(definition.id, tool)
    return tool
  }
  const continueAgent = continueTool(delegation)
  return () => [...agents.map(toTool), continueAgent]
}

function inputOf({ setup }: AgentDefinition): JsonSchema {
  const input = setup?.input ?? TASK_INPUT
  return typeof input === 'function' ? input() : input
}

interface Delegation {
  readonly agents: readonly AgentDefinition[]
  readonly agent: ParentAgent
  readonly waiting: WaitingChildren
}

// Constants: a validator is compiled once per schema object, and compiling takes a millisecond.
const TASK_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    prompt: { type: 'string', description: 'The task, complete in itself.' },
    context: { type: 'string', description: 'What it must know.' },
  },
  required: ['prompt'],
}
const CONTINUE_INPUT: JsonSchema = {
  type: 'object',
  properties: { agent: { type: 'string' }, message: { type: 'string' } },
  required: ['agent', 'message'],
}

function delegateTool(definition: AgentDefinition, input: JsonSchema, delegation: Delegation): Tool {
  const { app, accepts } = definition.setup ?? {}
  return defineTool({
    name: `delegate_to_${definition.id}`,
    description: definition.description,
    input,
    // Delegating changes nothing: the child's calls pass the same gates as its parent's. Only a read-only child may
    // run in parallel with others.
    effect: 'read',
    resultsFrom: 'agent',
    returns: 'inherited',
    destinations: [],
    alone: lowerEffect(definition.effectCeiling ?? 'write', ceilingOf(delegation)) !== 'read',
    timeoutMs: false,
    ...(app ? { app } : undefined),
    ...(accepts ? { accepts } : undefined),
    label: (args) => ({
      label: `Ask ${app?.(args)?.name ?? definition.id.replaceAll('_', ' ')}`,
      ...(typeof args['prompt'] === 'string' ? { detail: args['prompt'] } : undefined),
    }),
    run: (args, context: ToolContext) => work(definition, args, context, delegation),
  })
}

function continueTool(delegation: Delegation): Tool {
  return defineTool({
    name: 'continue_agent',
    description: 'Lets an agent that waits for an answer, or ran out of steps, go on where it stopped.',
    input: CONTINUE_INPUT,
    effect: 'read',
    resultsFrom: 'agent',
    returns: 'inherited',
    destinations: [],
    alone: true,
    timeoutMs: false,
    async run(args, context: ToolContext) {
      const { agent, message } = args as { agent: string; message: string }
      const child = delegation.waiting.take(agent) ?? (await findPast(agent, context, delegation))
      if (!child) return fail(`No agent waits as "${agent}".`, { errorCode: 'ENOENT' })
      return work(child.definition, { prompt: message }, context, delegation, child)
    },
  })
}

/** Finds a child that waited before this process started, or was interrupted after it was continued. */
async function findPast(
  name: string,
  context: ToolContext,
  { agents, agent }: Delegation,
): Promise<WaitingChild | undefined> {
  const { run, callId } = context
  const past =
    run.archive?.childOf(run.runId, callId)?.conversation ??
    run.archive?.takeWaiting(run.conversationId, name)
  const definition = past && agents.find(({ id }) => id === past.agent)
  if (!definition) return undefined
  const prepared = past.setup && (await definition.setup?.prepare(past.setup, context))
  if (prepared && 'refusal' in prepared) return undefined
  const child = await openChild(definition, { agent, run, callId }, past, prepared)
  return { ...child, definition, name, conversationId: past.id }
}

const ceilingOf = ({ agent }: Delegation): Effect => agent.options.effectCeiling ?? 'admin'

function work(
  definition: AgentDefinition,
  args: JsonObject,
  context: ToolContext,
  { agent, waiting }: Delegation,
  continuation?: WaitingChild,
): Promise<ToolOutcome> {
  const { run, callId, signal } = context
  const task = args as unknown as SubAgentTask // the schema has been checked
  return agent.slots.use(async () => {
    if (signal.aborted && !hasOpenChild(run, callId))
      return fail('It was stopped before it began.', { cancelled: true })
    const past = run.archive?.childOf(run.runId, callId)?.conversation
    const name =
      continuation?.name ??
      past?.name ??
      waiting.newName(definition.id, run.archive?.countChildren(run.conversationId))
    const setup = past?.setup ?? args
    const prepared = continuation ? undefined : await definition.setup?.prepare(setup, context)
    // It says what to do next, in the harness's own words.
    if (prepared && 'refusal' in prepared)
      return { ...prepared.refusal, lead: prepared.refusal.text, text: '' }
    const child = {
      name,
      ...(continuation ? { continuation } : undefined),
      ...(prepared ? { prepared, setup: prepared.setup ?? setup } : undefined),
    }
    const result = await runChild(definition, task, { agent, run, callId, signal }, child)
    return waiting.toOutcome(definition.id, result)
  })
}

const MAX_WAITING = 100

/** Children that wait for an answer, by name. When there are too many, the oldest is dropped. */
class WaitingChildren {
  readonly #children = new Map<string, WaitingChild>()
  #count = 0

  take(name: string): WaitingChild | undefined {
    const child = this.#children.get(name)
    this.#children.delete(name)
    return child
  }

  /** The tool result for the parent. Only `completed` reads as success. */
  toOutcome(id: string, { status, text, failure, continuation }: SubAgentResult<unknown>): ToolOutcome {
    const goOn = continuation
      ? ` To let it go on, call continue_agent with agent "${this.#keep(continuation as WaitingChild)}".`
      : ''
    switch (status) {
      case 'completed':
        return succeed(text)
      case 'awaiting-user':
        return {
          ...succeed(text),
          lead:
            `The agent "${id}" waits for an answer of the user; its task is not done yet. Relay its question and do ` +
            `not delegate again.${goOn}\nIts question: `,
        }
      case 'incomplete':
        return {
          ...fail(text, { failure }),
          lead: `The agent "${id}" did NOT finish. Do not report this as done.${goOn}\nSo far: `,
        }
      case 'failed':
        return {
          ...fail(text, { failure }),
          lead: `The agent "${id}" failed and its work is not done. Do not claim success.\n`,
        }
    }
  }

  // The name must not look like a secret token: scrubbing would remove it from the output.
  newName(id: string, before = 0): string {
    this.#count = Math.max(this.#count, before) + 1
    return `${id}_${this.#count}`
  }

  #keep(child: WaitingChild): string {
    const { name } = child
    this.#children.set(name, child)
    if (this.#children.size > MAX_WAITING) this.#children.delete(this.#children.keys().next().value!)
    return name
  }
}
