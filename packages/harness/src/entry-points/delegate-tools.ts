import type { AgentDefinition } from '../agents/agent-definition.ts'
import { hasOpenChild } from '../turn/run-context.ts'
import type { Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool, lowerEffect } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import type { ParentAgent } from './agent.ts'
import type { SubAgentTask, WaitingChild } from './child-run.ts'
import { openChild, runChild } from './child-run.ts'
import { createSpawnTools } from './spawned/spawn-tools.ts'
import type { WaitingChildren } from './waiting-children.ts'

/** The sub-agents that an agent may start, and those that wait for it. */
export interface Delegation {
  readonly agents: readonly AgentDefinition[]
  readonly agent: ParentAgent
  readonly waiting: WaitingChildren
}

/**
 * Creates one tool per sub-agent, one that continues a waiting child, and those for sub-agents that work beside the agent.
 * A tool stays the same object until its schema changes.
 */
export function createDelegateTools(delegation: Delegation): () => readonly Tool[] {
  const { agents } = delegation
  const made = new Map<string, Tool>()
  const toTool = (definition: AgentDefinition): Tool => {
    const input = inputOf(definition)
    const before = made.get(definition.id)
    const tool = before?.input === input ? before : delegateTool(definition, input, delegation)
    made.set(definition.id, tool)
    return tool
  }
  const others = [continueTool(delegation), ...createSpawnTools(delegation)]
  return () => [...agents.map(toTool), ...others]
}

/** The arguments of a delegation to this agent. */
export function inputOf({ setup }: AgentDefinition): JsonSchema {
  const input = setup?.input ?? TASK_INPUT
  return typeof input === 'function' ? input() : input
}

// Constants: a validator is compiled once per schema object, and compiling takes a millisecond.
const TASK_INPUT: JsonSchema = {
  type: 'object',
  properties: {
    prompt: { type: 'string', description: 'The task, complete in itself.' },
    context: { type: 'string', description: 'What it must know: it cannot see this conversation.' },
  },
  required: ['prompt'],
}
const CONTINUE_INPUT: JsonSchema = {
  type: 'object',
  properties: { agent: { type: 'string' }, message: { type: 'string' } },
  required: ['agent', 'message'],
}

function delegateTool(definition: AgentDefinition, input: JsonSchema, delegation: Delegation): Tool {
  const app = definition.setup?.app
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
      return fail('It was stopped before it began.', { cancelled: true, notStarted: true })
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
