import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import { withSettings } from '../agents/agent-settings.ts'
import { runTurn } from '../engine/run-turn.ts'
import { classifyOutcome } from '../failures/classify.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import type { BudgetLimits } from '../turn/budget.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { JsonObject } from '../turn/json.ts'
import { newThreadId } from '../turn/new-id.ts'
import type { ResultOf } from '../turn/output-schema.ts'
import type { ToolContext } from '../turn/tool/tool.ts'
import { agentOf, createAgent, createTurn, openConversation, openLine, toProgress } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import type { Continuation, SubAgentResult, SubAgentTask, WaitingChild } from './child-run.ts'
import { EventTaps, streamTurn } from './event-stream.ts'
import { runChild, toCeiling, toChildOptions, toInput, toResult } from './child-run.ts'

/** Options of a sub-agent that a tool starts. It runs below the call of that tool. */
export interface SubAgentOfTool {
  /** The context the tool was called with. */
  readonly parent: ToolContext
  /** The name by which it is found after a wait. Default: the id of its definition, numbered within the call. */
  readonly name?: string
  /** Arguments for the definition's `setup`, besides the task. */
  readonly setup?: JsonObject
  /** Continues a sub-agent that waited. The task is the answer. */
  readonly continuation?: Continuation
}

/** Options of a sub-agent that a program starts. It has no parent, and nothing is kept. */
export interface SubAgentOfProgram extends Omit<AgentOptions, 'instructions' | 'output'> {
  readonly threadId?: string
  readonly signal?: AbortSignal
  /** Continues a sub-agent that waited. The task is the answer. */
  readonly continuation?: Continuation
}

/**
 * Runs a sub-agent to its end.
 *
 * From a tool, pass `{ parent: context }`. The sub-agent then works for the call of that tool: it gets some of the tools
 * of the agent that called the tool, at most that agent's rights, a share of its budget, and reports its events below the
 * call. At most three generations may be nested, and at most four sub-agents of one agent run at once. When a sub-agent
 * waits for a person, the whole turn is parked. When the turn is resumed, the tool runs again from its start, and each
 * sub-agent it had started is resumed where it was. So the tool must declare `effect: 'read'` (the calls of the sub-agent
 * pass the gates themselves) or `honoursKey`, must start the same sub-agents again, and must not catch errors of
 * `runSubAgent`. Declare the tool `alone` when its sub-agents write, and `timeoutMs: false` when they may take long.
 *
 * From a program, pass the options of an agent. The sub-agent is then a run without a parent.
 *
 * Throws `ConfigurationError` for invalid options, and never for what the sub-agent does.
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

/**
 * Yields the events of a sub-agent that a program starts. The run starts with the first read; leaving the loop does not
 * stop it. The events of a sub-agent that a tool starts are part of the turn's events.
 */
export function streamSubAgent(
  definition: AgentDefinition,
  task: SubAgentTask,
  { onEvent, progress, ...options }: SubAgentOfProgram,
): AsyncIterable<TurnEvent> {
  const watching = toProgress({ ...options, ...(onEvent && { onEvent }), ...(progress && { progress }) })
  const taps = new EventTaps((event) => watching.report(event))
  const begin = async () => ({
    runId: undefined,
    outcome: runSubAgent(definition, task, { ...options, progress: taps }),
  })
  return streamTurn((buffer) => taps.add(buffer), begin)
}

async function runBelow(
  definition: AgentDefinition,
  task: SubAgentTask,
  { parent, name, setup, continuation }: SubAgentOfTool,
): Promise<SubAgentResult<unknown>> {
  const { run, callId, signal } = parent
  const agent = agentOf(run)
  if (!agent) throw new ConfigurationError('parent', 'is not the context of a tool that an agent has called')
  refuseWhenOver(parent)
  if (parent.isRepeatable !== true)
    throw new ConfigurationError(
      'effect',
      'of a tool that runs sub-agents must be read, or it must honour keys',
    )
  const child = continuation && toWaiting(continuation)
  const named = child?.name ?? name ?? nextName(parent, definition.id)
  const begun = run.archive?.childOf(run.runId, callId, named)
  const asked = begun?.conversation.setup ?? { ...setup, ...task }
  const preparing = child ? undefined : await definition.setup?.prepare(asked, parent)
  // A sub-agent that exists ends and tells what it did, also where it cannot work any more.
  const isGone = begun !== undefined && preparing !== undefined && 'refusal' in preparing
  const prepared = isGone ? { tools: [] } : preparing
  if (prepared && 'refusal' in prepared)
    return {
      status: 'failed',
      text: prepared.refusal.text,
      usage: NO_USAGE,
      failure: classifyOutcome(prepared.refusal),
    }
  return agent.slots.use(async () => {
    refuseWhenOver(parent) // it may have ended while this waited
    return runChild(
      definition,
      task,
      { agent, run, callId, signal: isGone ? AbortSignal.abort() : signal },
      {
        name: named,
        hasSiblings: true,
        ...(child ? { continuation: child } : undefined),
        ...(prepared ? { prepared, setup: prepared.setup ?? asked } : undefined),
      },
    )
  })
}

function refuseWhenOver({ isOver }: ToolContext): void {
  if (isOver) throw new ConfigurationError('parent', 'the call is over')
}

/** Counts the sub-agents of one call. Their names are the same when the call runs again. */
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
  const root = waiting ?? createRoot(definition, options)
  const { agent, missingModel } = root
  const conversation = waiting?.conversation ?? openConversation(agent)
  const turn = createTurn(agent, {
    conversation,
    ...(waiting?.flow ? { flow: waiting.flow } : undefined),
    input: toInput(task),
    asked: task.prompt,
    line: openLine(agent, (threadId ?? newThreadId()) as ThreadId),
    signal: signal ?? new AbortController().signal,
    checkpoint: options.checkpoint ?? createSummaryCheckpoint('parent'),
    ...(missingModel === undefined ? undefined : { missingModel }),
  })
  const { conversationId } = turn.run
  const outcome = await runTurn(turn)
  return toResult(outcome, turn, {
    ...root,
    name: definition.id,
    conversationId,
    definition,
    conversation,
    flow: turn.run.flow,
  })
}

function createRoot(
  defined: AgentDefinition,
  options: AgentOptions,
): Pick<WaitingChild, 'agent' | 'missingModel'> {
  const program = createAgent('program', options)
  const definition = withSettings(defined, options.agentSettings)
  const ceiling = toCeiling(definition, options.effectCeiling)
  const { options: own, ...missing } = toChildOptions(definition, program, ceiling)
  const { toolChoice } = options.modelOptions ?? {}
  const agent = createAgent(
    definition.id,
    {
      ...own,
      ...(toolChoice ? { modelOptions: { toolChoice, ...own.modelOptions } } : undefined),
      budget: lowerLimits(options.budget, definition.budget),
    },
    program.services,
  )
  return { agent, ...missing }
}

/** The lower of two values for each limit. */
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
