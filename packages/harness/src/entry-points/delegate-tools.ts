import type { AgentDefinition, PreparedAgent } from '../agents/agent-definition.ts'
import { classifyOutcome } from '../failures/classify.ts'
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
    prompt: { type: 'string', description: 'The whole task.' },
    context: { type: 'string' },
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
  const begun = run.archive?.childOf(run.runId, callId)?.conversation
  const past = begun ?? run.archive?.takeWaiting(run.conversationId, name)
  const definition = past && agents.find(({ id }) => id === past.agent)
  if (!definition) return undefined
  const prepared = past.setup && (await definition.setup?.prepare(past.setup, context))
  const isRefused = prepared && 'refusal' in prepared
  if (isRefused && !begun) return undefined
  const child = await openChild(definition, { agent, run, callId }, past, isRefused ? NO_TOOLS : prepared)
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
    const begun = run.archive?.childOf(run.runId, callId)
    if (signal.aborted && !begun)
      return fail('It was stopped before it began.', { cancelled: true, notStarted: true })
    const past = begun?.conversation
    const name =
      continuation?.name ??
      past?.name ??
      waiting.newName(definition.id, run.archive?.countChildren(run.conversationId))
    const setup = past?.setup ?? args
    const prepared = await prepare(definition, setup, context, continuation)
    const refusal = prepared && 'refusal' in prepared ? prepared.refusal : undefined
    // It says what to do next, in the harness's own words.
    if (refusal && !begun) return { ...refusal, lead: refusal.text, text: '' }
    const ready = prepared && 'tools' in prepared ? prepared : undefined
    const child = {
      name,
      ...(continuation ? { continuation } : undefined),
      ...(ready ? { prepared: ready, setup: ready.setup ?? setup } : undefined),
    }
    const parent = { agent, run, callId, signal }
    if (!refusal) return waiting.toOutcome(definition.id, await runChild(definition, task, parent, child))
    // The child exists, so it ends, and what it did is told besides the refusal.
    const ending = { ...parent, signal: AbortSignal.abort(new Error(refusal.text)) }
    const ended = await runChild(definition, task, ending, { ...child, prepared: NO_TOOLS, setup })
    if (begun?.outcome) return waiting.toOutcome(definition.id, ended)
    const text = `It could not go on: ${refusal.text}`
    return waiting.toOutcome(definition.id, { ...ended, text, failure: classifyOutcome(refusal) })
  })
}

const NO_TOOLS: { readonly tools: readonly Tool[] } = { tools: [] }

/** What the child works with. A child that is continued has it already, and one that is stopped needs nothing. */
function prepare(
  { setup }: AgentDefinition,
  args: JsonObject,
  context: ToolContext,
  continuation: WaitingChild | undefined,
): Promise<PreparedAgent> | PreparedAgent | undefined {
  if (continuation || !setup) return undefined
  return context.signal.aborted ? NO_TOOLS : setup.prepare(args, context)
}
