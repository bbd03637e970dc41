import type { Cap, Failure, ParentCall, SubAgentStatus, TurnOutcome, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition, PreparedAgent } from '../agents/agent-definition.ts'
import type { Conversation } from '../context/conversation.ts'
import { withSettings } from '../agents/agent-settings.ts'
import { runTurn } from '../engine/run-turn.ts'
import type { Turn } from '../engine/turn.ts'
import { readOutcome } from '../engine/structured-output.ts'
import { classifyOutcome, describe } from '../failures/classify.ts'
import type { ModelClient } from '../models/model-client.ts'
import { mergeModelOptions } from '../models/merge-model-options.ts'
import type { ToolSource } from '../seams/seams.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import { informTools, narrowTools } from '../seams/tool-sources/derived-tools.ts'
import { CALL_TOOL } from '../seams/tool-sources/live-tools.ts'
import { cutWithSize } from '../text/cut-text.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import { mediaOf } from '../turn/message/message.ts'
import type { Inbox } from '../turn/message/inbox.ts'
import { matchesName } from '../turn/tool/name-pattern.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Archive, PastConversation } from '../turn/archive.ts'
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
  /** What the ledger holds of the child. Default: what it held when the turn began. */
  readonly archive?: Archive
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
  /** The model that was chosen for it and cannot be had. It ran on its parent's. */
  readonly missingModel?: string
  /** Set for every status except `completed` and `awaiting-user`. */
  readonly failure?: Failure
  /** What it changed, and what nobody knows to have happened, in a sentence or two. Absent: nothing of both. */
  readonly account?: string
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
  readonly missingModel?: string
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
  /** Set when its parent does not wait for it. */
  readonly beside?: {
    readonly inbox: Inbox
    /** Called with its turn before it runs. */
    readonly onTurn: (turn: Turn) => void
    readonly onStarted?: () => void
  }
}

/**
 * Runs a sub-agent below a run. The child gets some of its parent's tools, at most its parent's effect ceiling and a
 * share of its budget, and reports events on the same line. The fourth generation is refused. A child that was
 * interrupted with its parent is resumed. Never throws for what the child does.
 */
export async function runChild(
  defined: AgentDefinition,
  task: SubAgentTask,
  parent: Parent,
  {
    continuation,
    hasSiblings,
    prepared,
    setup,
    beside,
    name = continuation?.name ?? defined.id,
  }: ChildOptions = {},
): Promise<SubAgentResult<unknown>> {
  const { run, archive = run.archive } = parent
  const definition = withSettings(defined, parent.agent.options.agentSettings)
  const depth = run.depth + 1
  if (depth > MAX_DEPTH) return refuseDepth(definition, depth)
  const past = archive?.childOf(run.runId, parent.callId, hasSiblings && name)
  const child = continuation ?? (await openChild(definition, parent, past?.conversation, prepared))
  const { agent, conversation, missingModel } = child
  const budget = past ? run.budget.regrant(past.budget, past.spent) : run.budget.grant(definition.budget)
  try {
    const turn = createTurn(agent, {
      conversation,
      input: toInput(task, prepared?.context),
      asked: task.prompt,
      line: run.line,
      signal: parent.signal ?? run.signal,
      checkpoint: createSummaryCheckpoint('parent'),
      ...(archive ? { archive } : undefined),
      ...(past ? { past } : undefined),
      ...(missingModel === undefined ? undefined : { missingModel }),
      ...(beside ? { inbox: beside.inbox } : undefined),
      ...(beside?.onStarted ? { onStarted: beside.onStarted } : undefined),
      child: {
        parent: { runId: run.runId, callId: parent.callId },
        root: run.root ?? run,
        depth,
        name,
        ...(setup ? { setup } : undefined),
        ...(beside ? { isSpawned: true } : undefined),
        ...(run.branch === undefined ? undefined : { branch: run.branch }),
        budget,
        effectCeiling: toCeiling(definition, run.effectCeiling),
        origin: run.origin,
        refusals: run.refusals,
        sideEffects: run.sideEffects,
        done: run.done,
        flow: run.flow,
        ...(continuation ? { conversationId: continuation.conversationId } : undefined),
      },
    })
    beside?.onTurn(turn)
    const { conversationId } = turn.run
    const outcome = past?.outcome ?? (await runTurn(turn))
    return await toResult(outcome, turn, { ...child, name, conversationId, definition })
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
): Promise<Pick<WaitingChild, 'agent' | 'conversation' | 'missingModel'>> {
  const ceiling = toCeiling(definition, parent.run.effectCeiling)
  const { options, missingModel } = toChildOptions(definition, parent.agent, ceiling, prepared)
  const agent = createAgent(definition.id, options, toServices(definition, parent))
  const found = missingModel === undefined ? undefined : { missingModel }
  const { media } = parent.run
  if (!past) return { agent, conversation: openConversation(agent, [], media), ...found }
  await media?.load?.(past.messages.flatMap(mediaOf).map(({ ref }) => ref))
  return { agent, conversation: reopenConversation(agent, past, media), ...found }
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
): { readonly options: AgentOptions; readonly missingModel?: string } {
  const { modelOptions, maxIterations, agents, ownForm } = definition
  const { model, ...missing } = findModel(definition, agent)
  const dialect = prepared?.dialect ?? definition.dialect
  const { parser, ...inherited } = agent.options
  const calling = dialect === undefined ? parser && { parser } : { dialect }
  const options: AgentOptions = {
    ...inherited,
    ...calling,
    model,
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
  return { options, ...missing }
}

/** The model that a definition names. One that cannot be had falls back to the parent's. */
function findModel(
  { model: name }: AgentDefinition,
  agent: ParentAgent,
): { readonly model: ModelClient; readonly missingModel?: string } {
  if (name === undefined) return { model: agent.model }
  try {
    return { model: agent.findModel(name) }
  } catch {
    return { model: agent.model, missingModel: name }
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

/** Adds what the child changed. A child that says it is done is not, when a call of it failed and none made it good. */
function withAccount(
  result: SubAgentResult<unknown>,
  { run: { sideEffects }, state: { results } }: Pick<Turn, 'run' | 'state'>,
): SubAgentResult<unknown> {
  const account = sideEffects.describe()
  const told = account === '' ? result : { ...result, account }
  if (result.status !== 'completed') return told
  const noneWorked = results.length > 0 && results.every(({ ok }) => !ok)
  const failure = sideEffects.failure ?? (noneWorked ? results.at(-1)!.failure : undefined)
  return failure ? { ...told, status: 'incomplete', failure } : told
}

/** The result of a sub-agent: how its turn ended, what it changed, and which model it did not have. */
export async function toResult(
  outcome: TurnOutcome,
  turn: Turn,
  waiting: WaitingChild,
): Promise<SubAgentResult<unknown>> {
  const result = withAccount(await readEnd(outcome, waiting), turn)
  const { missingModel } = waiting
  return missingModel === undefined ? result : { ...result, missingModel }
}

async function readEnd(ended: TurnOutcome, waiting: WaitingChild): Promise<SubAgentResult<unknown>> {
  const { id, maxResultChars, output: schema } = waiting.definition
  const outcome = schema ? await readOutcome(ended, schema) : ended
  const { usage } = outcome
  const text = maxResultChars === undefined ? outcome.text : cutWithSize(outcome.text, maxResultChars)
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
        failure: halted(id, outcome.guard, outcome.failure),
      }
    case 'capped': {
      const failure = capped(id, outcome.cap)
      return { status: 'incomplete', text, usage, failure, continuation: waiting }
    }
    case 'failed':
      return { status: 'failed', text, usage, failure: outcome.failure }
    case 'aborted':
      return { status: 'failed', text, usage, failure: classifyOutcome({ cancelled: true }) }
  }
}

/** What a person can act on is passed on as it is. */
const halted = (agent: string, guard: string, last?: Failure): Failure =>
  last?.category === 'needs_user'
    ? last
    : describe(last?.class ?? 'unknown', {
        rule: last?.evidence?.rule ?? 'sub-agent-halted',
        fact: `halted by ${guard}`,
        detail: { kind: 'agent-halted', agent },
        words: {
          cause: `The agent "${agent}" was stopped because it made no progress.`,
          next: 'Ask for it in another way, or for a smaller part of it.',
        },
      })

const capped = (agent: string, { kind, limit }: Cap): Failure =>
  describe('too_large', {
    rule: 'sub-agent-capped',
    fact: `cap ${kind} ${limit}`,
    detail: { kind: 'agent-capped', agent },
    words: {
      cause: `The agent "${agent}" reached its limit before its work was finished.`,
      next: 'Let it continue, or ask for a smaller part of it.',
    },
  })

function refuseDepth({ id }: AgentDefinition, depth: number): SubAgentResult {
  const failure = describe('unsupported', {
    rule: 'spawn-depth',
    fact: `attempted ${depth}, max ${MAX_DEPTH}`,
    detail: { kind: 'agent-nested', agent: id },
    words: {
      cause: `The agent "${id}" was not started: agents may not be nested more than ${MAX_DEPTH} deep.`,
      next: 'The assistant does this part itself.',
    },
  })
  return { status: 'failed', text: `${failure.cause} Do this part yourself.`, usage: NO_USAGE, failure }
}
