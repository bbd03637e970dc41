import type { AgentDefinition, PreparedAgent } from '../agents/agent-definition.ts'
import { classifyOutcome } from '../failures/classify.ts'
import type { Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import { defineTool, lowerEffect } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { JsonObject } from '../turn/json.ts'
import type { PastConversation } from '../turn/archive.ts'
import type { ParentAgent } from './agent.ts'
import type { ChildOptions, SubAgentTask, WaitingChild } from './child-run.ts'
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
    run(args, context: ToolContext) {
      const { agent: name, message } = args as { agent: string; message: string }
      const task = { prompt: message }
      const begun = context.run.archive?.childOf(context.run.runId, context.callId)
      const waiting = begun ? undefined : findWaiting(name, context, delegation)
      const id = begun?.conversation.agent ?? waiting?.past?.agent
      const definition = waiting?.child?.definition ?? delegation.agents.find((one) => one.id === id)
      if (!definition) return fail(`No agent waits as "${name}".`, { errorCode: 'ENOENT' })
      return work(definition, task, context, delegation, waiting)
    },
  })
}

/** A child that waits: in this process, or since before it started. It waits until it has been prepared to go on. */
interface Waiting {
  readonly name: string
  readonly child?: WaitingChild
  readonly past?: PastConversation
}

function findWaiting(name: string, { run }: ToolContext, { waiting }: Delegation): Waiting | undefined {
  const child = waiting.find(name)
  if (child) return { name, child }
  const past = run.archive?.findWaiting(run.conversationId, name)
  return past && { name, past }
}

const ceilingOf = ({ agent }: Delegation): Effect => agent.options.effectCeiling ?? 'admin'

function work(
  definition: AgentDefinition,
  args: JsonObject,
  context: ToolContext,
  delegation: Delegation,
  waiting?: Waiting,
): Promise<ToolOutcome> {
  const { agent, waiting: children } = delegation
  const { run, callId, signal } = context
  const task = args as unknown as SubAgentTask // the schema has been checked
  return agent.slots.use(async () => {
    const begun = run.archive?.childOf(run.runId, callId)
    if (signal.aborted && !begun)
      return fail('It was stopped before it began.', { cancelled: true, notStarted: true })
    const past = begun?.conversation ?? waiting?.past
    const name =
      waiting?.name ??
      past?.name ??
      children.newName(definition.id, run.archive?.countChildren(run.conversationId))
    const setup = past?.setup ?? args
    const prepared = await prepare(definition, setup, context, waiting)
    const refusal = prepared && 'refusal' in prepared ? prepared.refusal : undefined
    if (refusal && !begun) return toRefused(refusal, waiting)
    const ready = prepared && 'tools' in prepared ? prepared : undefined
    const continuation = waiting && (await takeWaiting(waiting, definition, context, delegation, ready))
    const child = {
      name,
      ...(continuation ? { continuation } : undefined),
      ...(ready && !continuation ? { prepared: ready, setup: ready.setup ?? setup } : undefined),
    }
    const parent = { agent, run, callId, signal }
    if (!refusal) return children.toOutcome(definition.id, await runChild(definition, task, parent, child))
    // The child exists, so it ends, and what it did is told besides the refusal.
    const ending = { ...parent, signal: AbortSignal.abort(new Error(refusal.text)) }
    const ended = await runChild(definition, task, ending, { ...child, prepared: NO_TOOLS, setup })
    if (begun?.outcome) return children.toOutcome(definition.id, ended)
    const text = `It could not go on: ${refusal.text}`
    return children.toOutcome(definition.id, { ...ended, text, failure: classifyOutcome(refusal) })
  })
}

/** It says what to do next, in the harness's own words. */
function toRefused(refusal: ToolOutcome, waiting: Waiting | undefined): ToolOutcome {
  const still = waiting ? ` The agent still waits as "${waiting.name}".` : ''
  return { ...refusal, lead: refusal.text + still, text: '' }
}

/** The child that goes on now. It waits no longer. */
async function takeWaiting(
  { name, child, past }: Waiting,
  definition: AgentDefinition,
  { run, callId }: ToolContext,
  { agent, waiting }: Delegation,
  prepared: ChildOptions['prepared'],
): Promise<WaitingChild> {
  waiting.remove(name)
  run.archive?.removeWaiting(run.conversationId, name)
  if (child) return child
  const opened = await openChild(definition, { agent, run, callId }, past, prepared)
  return { ...opened, definition, name, conversationId: past!.id }
}

const NO_TOOLS: { readonly tools: readonly Tool[] } = { tools: [] }

/** What the child works with. One that waits in this process has it already, and one that is stopped needs nothing. */
function prepare(
  { setup }: AgentDefinition,
  args: JsonObject,
  context: ToolContext,
  waiting: Waiting | undefined,
): Promise<PreparedAgent> | PreparedAgent | undefined {
  if (waiting?.child || !setup) return undefined
  return context.signal.aborted ? NO_TOOLS : setup.prepare(args, context)
}
