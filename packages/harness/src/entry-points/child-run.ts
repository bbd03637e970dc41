import type { Failure, ParentCall, SubAgentStatus, TurnOutcome, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition, PreparedAgent } from '../agents/agent-definition.ts'
import type { Conversation } from '../context/conversation.ts'
import { runTurn } from '../engine/run-turn.ts'
import { readOutcome } from '../engine/structured-output.ts'
import { classifyOutcome, describe } from '../failures/classify.ts'
import { mergeModelOptions } from '../models/merge-model-options.ts'
import type { ToolSource } from '../seams/seams.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import { informTools, narrowTools } from '../seams/tool-sources/derived-tools.ts'
import { CALL_TOOL } from '../seams/tool-sources/live-tools.ts'
import { cutText } from '../text/cut-text.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import { mediaOf } from '../turn/message/message.ts'
import { matchesName } from '../turn/tool/name-pattern.ts'
import type { JsonObject } from '../turn/json.ts'
import type { PastConversation } from '../turn/archive.ts'
import type { FlowTracker } from '../turn/flow-tracker.ts'
import type { RunContext } from '../turn/run-context.ts'
import { MAX_DEPTH } from '../turn/run-context.ts'
import type { Effect } from '../turn/tool/tool.ts'
import { lowerEffect } from '../turn/tool/tool.ts'
import type { Agent, ParentAgent } from './agent.ts'
import { createAgent, createTurn, openConversation, reopenConversation } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'

/** The agent that starts a sub-agent, and the call of its run that the sub-agent works for. */
export interface Parent {
  readonly agent: ParentAgent
  readonly run: RunContext
  readonly callId: ParentCall['callId']
  /** Stops the child. Default: the signal of the parent's run. */
  readonly signal?: AbortSignal
}

/** The task of a sub-agent. */
export interface SubAgentTask {
  readonly prompt: string
  /** Background for the child, which does not see the parent's conversation. */
  readonly context?: string
}

/** The result of a sub-agent. Only `completed` means that the task is done. */
export interface SubAgentResult<Output = undefined> {
  readonly status: SubAgentStatus
  readonly text: string
  /** The structured result of a `completed` agent whose definition has an `output` schema. */
  readonly output?: Output
  readonly usage: Usage
  /** Set for every status except `completed` and `awaiting-user`. */
  readonly failure?: Failure
  /** Pass it to `runSubAgent` with an answer to continue the child. */
  readonly continuation?: Continuation
}

/** A sub-agent that waits for an answer or reached a cap. It can be continued once, in the same process. */
export interface Continuation {
  /** The name by which its parent continues it. */
  readonly name: string
}

/** A continuation with the child's conversation and its agent, which holds the children that wait below it. */
export interface WaitingChild extends Continuation {
  readonly conversationId: string
  readonly definition: AgentDefinition
  readonly agent: Agent
  readonly conversation: Conversation
  /** Set when a program runs it: there is no thread that knows what it has read. */
  readonly flow?: FlowTracker
}

/** What is known of a child besides its definition and its task. */
export interface ChildOptions {
  /** The name by which its parent continues it. */
  readonly name?: string
  /** Set when the child continues with an answer. */
  readonly continuation?: WaitingChild
  /** The call may start several children, so a resumed child is found by its name. */
  readonly hasSiblings?: true
  /** Tools and context that replace a selection of the parent's tools. */
  readonly prepared?: Exclude<PreparedAgent, { readonly refusal: unknown }>
  /** The arguments its setup was prepared with. */
  readonly setup?: JsonObject
}

/**
 * Runs a sub-agent below a run. The child gets some of its parent's tools, at most its parent's effect ceiling and a
 * share of its budget, and reports events on the same line. The fourth generation is refused. A child that was
 * interrupted with its parent is resumed. Never throws for what the child does.
 */
export async function runChild(
  definition: AgentDefinition,
  task: SubAgentTask,
  parent: Parent,
  {
    continuation,
    hasSiblings,
    prepared,
    setup,
    name = continuation?.name ?? definition.id,
  }: ChildOptions = {},
): Promise<SubAgentResult<unknown>> {
  const { run } = parent
  const depth = run.depth + 1
  if (depth > MAX_DEPTH) return refuseDepth(definition, depth)
  const past = run.archive?.childOf(run.runId, parent.callId, hasSiblings && name)
  const { agent, conversation } =
    continuation ?? (await openChild(definition, parent, past?.conversation, prepared))
  const budget = past ? run.budget.regrant(past.budget, past.spent) : run.budget.grant(definition.budget)
  try {
    const turn = createTurn(agent, {
      conversation,
      input: toInput(task, prepared?.context),
      asked: task.prompt,
      line: run.line,
      signal: parent.signal ?? run.signal,
      checkpoint: createSummaryCheckpoint('parent'),
      ...(run.archive ? { archive: run.archive } : undefined),
      ...(past ? { past } : undefined),
      child: {
        parent: { runId: run.runId, callId: parent.callId },
        depth,
        name,
        ...(setup ? { setup } : undefined),
        budget,
        effectCeiling: toCeiling(definition, run.effectCeiling),
        origin: run.origin,
        refusals: run.refusals,
        flow: run.flow,
        ...(continuation ? { conversationId: continuation.conversationId } : undefined),
      },
    })
    const { conversationId } = turn.run
    const outcome = past?.outcome ?? (await runTurn(turn))
    return await toResult(outcome, definition, { name, conversationId, definition, agent, conversation })
  } finally {
    budget.close()
  }
}

/** Creates the child's agent, and opens its conversation or reopens its past one. All runs of a thread share its media. */
export async function openChild(
  definition: AgentDefinition,
  parent: Parent,
  past?: PastConversation,
  prepared?: ChildOptions['prepared'],
): Promise<Pick<WaitingChild, 'agent' | 'conversation'>> {
  const agent = createAgent(
    definition.id,
    toChildOptions(definition, parent.agent, toCeiling(definition, parent.run.effectCeiling), prepared),
    toServices(definition, parent),
  )
  const { media } = parent.run
  if (!past) return { agent, conversation: openConversation(agent, [], media) }
  await media?.load?.(past.messages.flatMap(mediaOf).map(({ ref }) => ref))
  return { agent, conversation: reopenConversation(agent, past, media) }
}

/** The lower of the definition's effect ceiling and the caller's. */
export const toCeiling = ({ effectCeiling }: AgentDefinition, above: Effect = 'admin'): Effect =>
  lowerEffect(effectCeiling ?? 'admin', above)

/** The options of a sub-agent: those of its parent, restricted and changed by its definition. */
export function toChildOptions(
  definition: AgentDefinition,
  agent: ParentAgent,
  effectCeiling: Effect,
  prepared?: ChildOptions['prepared'],
): AgentOptions {
  const { model, modelOptions, maxIterations, agents, ownForm } = definition
  const dialect = prepared?.dialect ?? definition.dialect
  const { parser, ...inherited } = agent.options
  const calling = dialect === undefined ? parser && { parser } : { dialect }
  return {
    ...inherited,
    ...calling,
    model: model === undefined ? agent.model : agent.findModel(model),
    findModel: agent.findModel,
    instructions: `${definition.instructions}\n\n${ownForm ? ROLE : `${ROLE} ${REPORT}`}`,
    tools: prepared?.tools ?? toOwnTools(definition, agent),
    agents: agents ?? [],
    output: definition.output,
    modelOptions: mergeModelOptions({ ...agent.options.modelOptions, toolChoice: undefined }, modelOptions),
    effectCeiling,
    limits: {
      ...agent.options.limits,
      ...(maxIterations === undefined ? undefined : { maxIterations }),
      // A child abandons its tools a little sooner, so that it ends before its parent does.
      tools: { ...agent.options.limits?.tools, stopGraceMs: agent.limits.tools.stopGraceMs * 0.8 },
    },
  }
}

/** Some of the parent's tools, and what the child must be told to use its own sub-agents. */
function toOwnTools(definition: AgentDefinition, agent: ParentAgent): ToolSource {
  const tools = narrowTools(agent.ownTools, (name, via) => isAllowed(definition, name, via))
  const { agents = [] } = definition
  const knowing = agents.find(({ setup }) => setup?.knowledge)
  if (!knowing) return tools
  const names = [...tools.current().surface.names(), ...agents.map(({ id }) => `delegate_to_${id}`)]
  return informTools(tools, knowing.setup!.knowledge!(new Set(names)))
}

/** The parent's services. Only the compaction of outputs may differ. */
function toServices({ compaction }: AgentDefinition, { agent }: Parent): ToolServices {
  return compaction === undefined ? agent.services : { ...agent.services, compaction }
}

function isAllowed({ tools, deny = [] }: AgentDefinition, name: string, via = name): boolean {
  const denied = deny.some((rule) => matchesName(rule, name) || matchesName(rule, via))
  if (denied || tools === undefined) return !denied
  return tools.includes(via) || (name === CALL_TOOL && tools.length > 0)
}

/** The message of a task, for the model. */
export function toInput({ prompt, context = '' }: SubAgentTask, prepared = ''): string {
  const known = [prepared, context].filter((part) => part !== '').join('\n\n')
  return known === '' ? prompt : `[Context]\n${known}\n\n[Task]\n${prompt}`
}

/** Constant, so that the provider can cache the prompt. */
const ROLE =
  'You work for another agent, not for a person. Stay within the task you are given and be brief. Never claim that ' +
  'something was done unless a call shows it.'
const REPORT =
  'End with: the answer, the evidence you used, the actions you took, what failed, and what is still uncertain.'

/** Turns the outcome of a sub-agent's turn into its result. */
export async function toResult(
  ended: TurnOutcome,
  { id, maxResultChars, output: schema }: AgentDefinition,
  waiting: WaitingChild,
): Promise<SubAgentResult<unknown>> {
  const outcome = schema ? await readOutcome(ended, schema) : ended
  const { usage } = outcome
  const text = maxResultChars === undefined ? outcome.text : cutText(outcome.text, maxResultChars)
  switch (outcome.type) {
    case 'done':
      return { status: 'completed', text, usage, ...(schema ? { output: outcome.output } : undefined) }
    case 'needs-input':
      return { status: 'awaiting-user', text, usage, continuation: waiting }
    case 'halted':
      return {
        status: 'incomplete',
        text,
        usage,
        failure: outcome.failure ?? unfinished(id, `halted by ${outcome.guard}`),
      }
    case 'capped': {
      const failure = unfinished(id, `cap ${outcome.cap.kind} ${outcome.cap.limit}`)
      return { status: 'incomplete', text, usage, failure, continuation: waiting }
    }
    case 'failed':
      return { status: 'failed', text, usage, failure: outcome.failure }
    case 'aborted':
      return { status: 'failed', text, usage, failure: classifyOutcome({ cancelled: true }) }
  }
}

function unfinished(agent: string, fact: string): Failure {
  return describe('quota_exhausted', {
    rule: 'sub-agent-incomplete',
    fact,
    words: {
      cause: `The agent "${agent}" stopped before its work was finished.`,
      next: 'Let it continue, or ask for a smaller part of it.',
    },
  })
}

function refuseDepth({ id }: AgentDefinition, depth: number): SubAgentResult {
  const failure = describe('unsupported', {
    rule: 'spawn-depth',
    fact: `attempted ${depth}, max ${MAX_DEPTH}`,
    words: {
      cause: `The agent "${id}" was not started: agents may not be nested more than ${MAX_DEPTH} deep.`,
      next: 'The assistant does this part itself.',
    },
  })
  return { status: 'failed', text: `${failure.cause} Do this part yourself.`, usage: NO_USAGE, failure }
}
