import type { Failure, ParentCall, SubAgentStatus, TurnOutcome, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition, PreparedAgent } from '../agents/agent-definition.ts'
import type { Conversation } from '../context/conversation.ts'
import { runTurn } from '../engine/run-turn.ts'
import { readOutcome } from '../engine/structured-output.ts'
import { classifyOutcome, describe } from '../failures/classify.ts'
import { mergeModelOptions } from '../models/merge-model-options.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import { narrowTools } from '../seams/tool-sources/derived-tools.ts'
import { CALL_TOOL } from '../seams/tool-sources/live-tools.ts'
import { cutText } from '../text/cut-text.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import { mediaOf } from '../turn/message.ts'
import { matchesName } from '../turn/name-pattern.ts'
import type { JsonObject } from '../turn/json.ts'
import type { PastConversation } from '../turn/archive.ts'
import type { RunContext } from '../turn/run-context.ts'
import { MAX_DEPTH } from '../turn/run-context.ts'
import type { Effect } from '../turn/tool.ts'
import { lowerEffect } from '../turn/tool.ts'
import type { Agent, ParentAgent } from './agent.ts'
import { createAgent, createTurn, openConversation, reopenConversation } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'

/** Who delegates: the agent, and the call of its run that the child works for. */
export interface Parent {
  readonly agent: ParentAgent
  readonly run: RunContext
  readonly callId: ParentCall['callId']
  /** Stops the child; absent: whatever stops its parent. */
  readonly signal?: AbortSignal
}

/** What a sub-agent is asked to do. */
export interface SubAgentTask {
  readonly prompt: string
  /** What the child should know besides; it does not see the parent's conversation. */
  readonly context?: string
}

/** What came of a sub-agent's work. Only `completed` means that the task is done. */
export interface SubAgentResult<Output = undefined> {
  readonly status: SubAgentStatus
  readonly text: string
  /** The result, for a `completed` agent whose definition asks for one of some form. */
  readonly output?: Output
  readonly usage: Usage
  /** For every status but `completed` and `awaiting-user`. */
  readonly failure?: Failure
  /** Hand it back with an answer to let the child go on. */
  readonly continuation?: Continuation
}

/** A sub-agent that waits for an answer, or ran out of steps. Good for one more run, in the process that got it. */
export interface Continuation {
  /** By which its parent lets it go on. */
  readonly name: string
}

/** The same with what it needs: its conversation, and itself with those who wait below it. */
export interface WaitingChild extends Continuation {
  readonly conversationId: string
  readonly definition: AgentDefinition
  readonly agent: Agent
  readonly conversation: Conversation
}

/** Who the child is to its parent, and what is known of it. */
export interface ChildOptions {
  /** By which its parent lets it go on. */
  readonly name?: string
  /** It waited, and goes on with an answer. */
  readonly continuation?: WaitingChild
  /** It may not be the only one of its call, and is found again by its name. */
  readonly hasSiblings?: true
  /** What it gets instead of a part of its parent's tools. */
  readonly prepared?: Exclude<PreparedAgent, { readonly refusal: unknown }>
  /** What it was fitted out with. */
  readonly setup?: JsonObject
}

/**
 * Runs a sub-agent below a run. The child gets a part of its parent's tools, never more reach than its parent, a share of
 * its budget, and reports on the same line of events. The fourth generation is refused. A child that was interrupted
 * with its parent goes on inside it. Never throws for what a child does.
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

/** A child of this parent, with the conversation it had before, if it had one. All runs of a thread share its media. */
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

/** Never above what the caller may reach. */
export const toCeiling = ({ effectCeiling }: AgentDefinition, above: Effect = 'admin'): Effect =>
  lowerEffect(effectCeiling ?? 'admin', above)

/** The options of a sub-agent: those of the agent above it, narrowed and changed by its definition. */
export function toChildOptions(
  definition: AgentDefinition,
  agent: ParentAgent,
  effectCeiling: Effect,
  prepared?: ChildOptions['prepared'],
): AgentOptions {
  const { model, modelOptions, maxIterations, agents, ownForm } = definition
  const dialect = prepared?.dialect ?? definition.dialect
  return {
    ...agent.options,
    ...(dialect === undefined ? undefined : { dialect }),
    model: model === undefined ? agent.model : agent.findModel(model),
    findModel: agent.findModel,
    instructions: `${definition.instructions}\n\n${ownForm ? ROLE : `${ROLE} ${REPORT}`}`,
    tools: prepared?.tools ?? narrowTools(agent.ownTools, (name) => isAllowed(definition, name)),
    agents: agents ?? [],
    output: definition.output,
    modelOptions: mergeModelOptions({ ...agent.options.modelOptions, toolChoice: undefined }, modelOptions),
    effectCeiling,
    limits: {
      ...agent.options.limits,
      ...(maxIterations === undefined ? undefined : { maxIterations }),
      // A child gives up on its tools a little sooner, so that its last word comes before its parent's.
      tools: { ...agent.options.limits?.tools, stopGraceMs: agent.limits.tools.stopGraceMs * 0.8 },
    },
  }
}

/** One policy, one audit, one place for large results; only how outputs are shortened may differ. */
function toServices({ compaction }: AgentDefinition, { agent }: Parent): ToolServices {
  return compaction === undefined ? agent.services : { ...agent.services, compaction }
}

function isAllowed({ tools, deny = [] }: AgentDefinition, name: string): boolean {
  const denied = deny.some((rule) => matchesName(rule, name))
  if (denied || tools === undefined) return !denied
  return tools.includes(name) || (name === CALL_TOOL && tools.length > 0)
}

/** What the model reads of a task. */
export function toInput({ prompt, context = '' }: SubAgentTask, prepared = ''): string {
  const known = [prepared, context].filter((part) => part !== '').join('\n\n')
  return known === '' ? prompt : `[Context]\n${known}\n\n[Task]\n${prompt}`
}

/** The same bytes for every spawn of every agent. */
const ROLE =
  'You work for another agent, not for a person. Stay within the task you are given and be brief. Never claim that ' +
  'something was done unless a call shows it.'
const REPORT =
  'End with: the answer, the evidence you used, the actions you took, what failed, and what is still uncertain.'

/** An outcome as the caller of a sub-agent reads it. */
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
