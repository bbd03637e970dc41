import type { ThreadId } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import { runTurn } from '../engine/run-turn.ts'
import { classifyOutcome } from '../failures/classify.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import type { BudgetLimits } from '../turn/budget.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { JsonObject } from '../turn/json.ts'
import { newThreadId } from '../turn/new-id.ts'
import type { ResultOf } from '../turn/output-schema.ts'
import type { ToolContext } from '../turn/tool.ts'
import { agentOf, createAgent, createTurn, openConversation, openLine } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import type { Continuation, SubAgentResult, SubAgentTask, WaitingChild } from './child-run.ts'
import { runChild, toCeiling, toChildOptions, toInput, toResult } from './child-run.ts'

/** For a sub-agent that a tool starts: it works below the call of the tool. */
export interface SubAgentOfTool {
  /** The context that the tool was called with. */
  readonly parent: ToolContext
  /** By which it is found again after a wait. Default: the id of its definition, numbered within the call. */
  readonly name?: string
  /** What a definition with a `setup` of its own takes besides the task. */
  readonly setup?: JsonObject
  /** It waited, and the task is the answer. */
  readonly continuation?: Continuation
}

/** For a sub-agent that a program starts: what every agent takes, and nothing above it. Nothing is kept. */
export interface SubAgentOfProgram extends Omit<AgentOptions, 'instructions' | 'output'> {
  readonly threadId?: string
  readonly signal?: AbortSignal
  /** It waited, and the task is the answer. */
  readonly continuation?: Continuation
}

/**
 * Runs a sub-agent to its end.
 *
 * From a tool, with `{ parent: context }`, it works for the call of that tool: it gets its part of the tools of the agent
 * that called the tool, never more rights than that agent, a share of its budget, and reports its events below the call.
 * At most three generations work below each other, and at most four sub-agents of one agent at once. When it waits for a
 * person, the whole turn waits, and the tool is run again from its start when the turn goes on; a sub-agent that was
 * started before goes on where it was. So the tool must declare `effect: 'read'` (what the sub-agent does passes the gates
 * itself) or `honoursKey`, must start the same sub-agents again, and must not catch what `runSubAgent` throws.
 * Declare it `alone` when its sub-agents write, and `timeoutMs: false` when they may take their time.
 *
 * From a program, with the options of an agent, it is a run of its own.
 *
 * Throws `ConfigurationError` for what cannot work, and never for what the sub-agent does.
 */
export async function runSubAgent<const Definition extends AgentDefinition>(
  definition: Definition,
  task: SubAgentTask,
  options: SubAgentOfTool | SubAgentOfProgram,
): Promise<SubAgentResult<ResultOf<Definition['output']>>> {
  const result =
    'parent' in options ? runBelow(definition, task, options) : runAlone(definition, task, options)
  return (await result) as SubAgentResult<never>
}

async function runBelow(
  definition: AgentDefinition,
  task: SubAgentTask,
  { parent, name, setup, continuation }: SubAgentOfTool,
): Promise<SubAgentResult<unknown>> {
  const { run, callId, signal } = parent
  const agent = agentOf(run)
  if (!agent) throw new ConfigurationError('parent', 'is not the context of a tool that an agent has called')
  if (parent.isRepeatable !== true)
    throw new ConfigurationError(
      'effect',
      'of a tool that runs sub-agents must be read, or it must honour keys',
    )
  const child = continuation && toWaiting(continuation)
  const named = child?.name ?? name ?? nextName(parent, definition.id)
  const past = run.archive?.childOf(run.runId, callId, named)?.conversation
  const asked = past?.setup ?? { ...setup, ...task }
  const prepared = child ? undefined : await definition.setup?.prepare(asked, parent)
  if (prepared && 'refusal' in prepared)
    return {
      status: 'failed',
      text: prepared.refusal.text,
      usage: NO_USAGE,
      failure: classifyOutcome(prepared.refusal),
    }
  return agent.slots.use(() =>
    runChild(
      definition,
      task,
      { agent, run, callId, signal },
      {
        name: named,
        hasSiblings: true,
        ...(child ? { continuation: child } : undefined),
        ...(prepared ? { prepared, setup: prepared.setup ?? asked } : undefined),
      },
    ),
  )
}

/** The sub-agents of one call are told apart by their names, the same ones when the call is run again. */
const started = new WeakMap<ToolContext, Map<string, number>>()

function nextName(context: ToolContext, id: string): string {
  const counts = started.get(context) ?? new Map<string, number>()
  started.set(context, counts)
  const count = (counts.get(id) ?? 0) + 1
  counts.set(id, count)
  return count === 1 ? id : `${id}_${count}`
}

async function runAlone(
  definition: AgentDefinition,
  task: SubAgentTask,
  { continuation, signal, threadId, ...options }: SubAgentOfProgram,
): Promise<SubAgentResult<unknown>> {
  if (definition.setup) throw new ConfigurationError('setup', 'needs a tool call that the agent works for')
  const waiting = continuation && toWaiting(continuation)
  if (!waiting) await options.ready?.()
  const agent = waiting?.agent ?? createRoot(definition, options)
  const conversation = waiting?.conversation ?? openConversation(agent)
  const turn = createTurn(agent, {
    conversation,
    input: toInput(task),
    asked: task.prompt,
    line: openLine(agent, (threadId ?? newThreadId()) as ThreadId),
    signal: signal ?? new AbortController().signal,
    checkpoint: options.checkpoint ?? createSummaryCheckpoint('parent'),
  })
  const { conversationId } = turn.run
  const outcome = await runTurn(turn)
  return toResult(outcome, definition, {
    name: definition.id,
    conversationId,
    definition,
    agent,
    conversation,
  })
}

function createRoot(definition: AgentDefinition, options: AgentOptions) {
  const program = createAgent('program', options)
  const own = toChildOptions(definition, program, toCeiling(definition, options.effectCeiling))
  const { toolChoice } = options.modelOptions ?? {}
  return createAgent(
    definition.id,
    {
      ...own,
      ...(toolChoice ? { modelOptions: { toolChoice, ...own.modelOptions } } : undefined),
      budget: lowerLimits(options.budget, definition.budget),
    },
    program.services,
  )
}

/** Per limit the lower one of two. */
function lowerLimits(a: BudgetLimits = {}, b: BudgetLimits = {}): BudgetLimits {
  const limits: Record<string, number> = {}
  for (const [kind, limit] of [...Object.entries(a), ...Object.entries(b)]) {
    if (typeof limit === 'number') limits[kind] = Math.min(limits[kind] ?? Infinity, limit)
  }
  return limits
}

function toWaiting(continuation: Continuation): WaitingChild {
  if (!('agent' in continuation))
    throw new ConfigurationError('continuation', 'is not one that a sub-agent gave')
  return continuation as WaitingChild
}
