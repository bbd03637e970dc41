import type { Origin, ParentCall, RunId, ThreadId } from '@capstan/protocol'
import { Conversation } from '../context/conversation.ts'
import { pairCalls } from '../context/pair-calls.ts'
import type { UserInput } from '../context/media.ts'
import { ContextWindow } from '../context/window.ts'
import type { Turn, TurnLimits } from '../engine/turn.ts'
import { StreamWatch } from '../engine/stream-watch.ts'
import type { TurnOutput } from '../engine/structured-output.ts'
import { toTurnOutput } from '../engine/structured-output.ts'
import { newTurnState } from '../engine/turn.ts'
import { restoreTurnState } from '../engine/restore-turn-state.ts'
import { createDefaultGuards } from '../guards/default-guards.ts'
import { createModel } from '../models/create-model.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { ResolvedModelOptions } from '../turn/model-options.ts'
import { mergeModelOptions, resolveModelOptions } from '../models/merge-model-options.ts'
import { chooseParser } from '../seams/parsers/choose-parser.ts'
import { createCallbackReporter, joinReporters, SILENT } from '../seams/progress/callback-reporter.ts'
import type {
  CheckpointStrategy,
  ProgressReporter,
  ResponseParser,
  ToolSource,
  TurnObserver,
} from '../seams/seams.ts'
import { joinTools } from '../seams/tool-sources/derived-tools.ts'
import { createFixedTools } from '../seams/tool-sources/fixed-tools.ts'
import { guardTools } from '../seams/tool-sources/guarded-tools.ts'
import { FRAME_INSTRUCTIONS } from '../text/untrusted-frame.ts'
import { CALL_TOOL } from '../seams/tool-sources/live-tools.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import type { Archive, PastConversation, PastRun } from '../turn/archive.ts'
import { Budget } from '../turn/budget.ts'
import type { Clock } from '../turn/clock.ts'
import { systemClock } from '../turn/clock.ts'
import { EventLine } from '../turn/event-line.ts'
import type { FlowTracker } from '../turn/flow-tracker.ts'
import { Inbox } from '../turn/message/inbox.ts'
import type { Posted } from '../turn/message/inbox.ts'
import type { JsonObject } from '../turn/json.ts'
import type { MediaStore } from '../turn/message/media-store.ts'
import type { Message } from '../turn/message/message.ts'
import { newRunId } from '../turn/new-id.ts'
import { DoneWrites } from '../turn/done-writes.ts'
import { Refusals } from '../turn/refusals.ts'
import { SideEffects } from '../turn/side-effects.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Unattended } from '../turn/unattended.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { Effect } from '../turn/tool/tool.ts'
import { resultsFrom, toJsonSchema } from '../turn/tool/tool.ts'
import type { AgentOptions, TurnOptions } from './agent-options.ts'
import { liftLimits } from './autonomous-lift.ts'
import { checkOptions, DEFAULT_BUDGET, toLimits } from './agent-options.ts'
import type { Delegation } from './delegate-tools.ts'
import { createDelegateTools } from './delegate-tools.ts'
import { openFlow } from './open-flow.ts'
import { forgetResultTool, withResultTool } from './result-tool-source.ts'
import { Slots } from './slots.ts'
import { SpawnedAgents } from './spawned/spawned-agents.ts'
import { createToolServices } from './tool-services.ts'
import { WaitingChildren } from './waiting-children.ts'

/** The resolved options of an entry point. All three entry points create their turns from it. */
export interface Agent {
  readonly id: string
  readonly options: AgentOptions
  readonly model: ModelClient
  /** Its own tools. A sub-agent may get some of them. */
  readonly ownTools: ToolSource
  /** Its own tools and the delegate tools. */
  readonly workTools: ToolSource
  /** All its tools: `workTools`, and the result tool when there is one. */
  readonly tools: ToolSource
  /** Set when every turn must produce a structured result. */
  readonly output?: TurnOutput
  readonly parser: ResponseParser
  readonly limits: TurnLimits
  readonly modelOptions: ResolvedModelOptions
  readonly clock: Clock
  readonly observers: readonly TurnObserver[]
  readonly findModel: (name: string) => ModelClient
  readonly services: ToolServices
  /** Limits how many of its sub-agents run at once. */
  readonly slots: Slots
  /** Set when it may start sub-agents. */
  readonly delegation?: Delegation
}

/** How many sub-agents of one agent run at once. */
export const MAX_SUB_AGENTS = 4

/** The agent of each run, for tools that start sub-agents. */
const agents = new WeakMap<RunContext, Agent>()

/** The agent of a run. Undefined for a run that no entry point created. */
export const agentOf = (run: RunContext): Agent | undefined => agents.get(run)

/** The sub-agents that work beside each run. */
const spawnedBeside = new WeakMap<RunContext, SpawnedAgents>()

/** The sub-agents that work beside a run. Undefined for a run of an agent that may start none. */
export const spawnedOf = (run: RunContext): SpawnedAgents | undefined => spawnedBeside.get(run)

/** What a sub-agent inherits from the agent that starts it. */
export type ParentAgent = Omit<Agent, 'tools' | 'workTools' | 'output' | 'delegation'>

/**
 * Resolves the options of an agent. Throws `ConfigurationError` for invalid ones. A sub-agent passes the services of
 * its parent, so that both share one policy, one audit log and one artifact store.
 */
export function createAgent(
  id: string,
  options: AgentOptions,
  services: ToolServices = createToolServices(options.safety),
): Agent {
  checkOptions(options)
  const findModel = options.findModel ?? createModel
  const model = typeof options.model === 'string' ? findModel(options.model) : options.model
  const { tools = [], agents: delegates = [] } = options
  const ownTools = 'current' in tools ? guardTools(tools) : createFixedTools(tools)
  const agent = {
    id,
    options,
    model,
    ownTools,
    parser: options.parser ?? chooseParser(options.dialect ?? 'auto', model.abilities),
    limits: toLimits(options.limits),
    modelOptions: resolveModelOptions(options.modelOptions),
    clock: options.clock ?? systemClock,
    observers: options.observers ?? [],
    findModel,
    services,
    slots: new Slots(MAX_SUB_AGENTS),
  }
  const delegation: Delegation | undefined =
    delegates.length === 0 ? undefined : { agents: delegates, agent, waiting: new WaitingChildren() }
  const working = delegation ? joinTools(ownTools, createDelegateTools(delegation)) : ownTools
  const whole = { ...agent, workTools: working, tools: working, ...(delegation && { delegation }) }
  if (!options.output) return whole
  const output = toTurnOutput(options.output, model, agent.parser)
  return { ...whole, tools: withResultTool(working, output), output }
}

/** Opens a conversation and freezes its system prompt: the instructions, the baseline, how to call the tools, and notes. */
export function openConversation(
  agent: Agent,
  messages: readonly Message[] = [],
  media?: MediaStore,
  notes = '',
): Conversation {
  const { surface, baseline = '' } = agent.tools.current()
  const prompt = [
    agent.options.instructions ?? '',
    mayFrame(surface) ? FRAME_INSTRUCTIONS : '',
    baseline,
    agent.parser.instructions(surface.tools),
    notes,
  ]
  const system = prompt.filter((part) => part !== '').join('\n\n')
  const conversation = new Conversation(system, pairCalls(messages), media)
  conversation.surface = surface
  return conversation
}

/** Whether results from outside may come: from a tool that is there, or from one that comes later. */
const mayFrame = ({ tools }: Surface): boolean =>
  tools.some((tool) => resultsFrom(tool) !== undefined || tool.name === CALL_TOOL)

/** Reopens a recorded conversation with the same system prompt, byte for byte. */
export function reopenConversation(agent: Agent, past: PastConversation, media?: MediaStore): Conversation {
  const conversation = new Conversation(past.system, past.messages, media)
  const { tools } = agent
  conversation.surface =
    past.announced && tools.recall ? tools.recall(past.announced) : tools.current().surface
  return conversation
}

/** Creates the event line of a thread that has no store. */
export function openLine(agent: Agent, threadId: ThreadId): EventLine {
  return new EventLine(threadId, agent.clock, toProgress(agent.options))
}

/** Joins `progress` and `onEvent` into one reporter that never throws. */
export const toProgress = ({ onEvent, progress }: AgentOptions): ProgressReporter => {
  if (!progress) return onEvent ? createCallbackReporter(onEvent) : SILENT
  const own = createCallbackReporter((event) => progress.report(event))
  return onEvent ? joinReporters(own, createCallbackReporter(onEvent)) : own
}

/** The parts of one turn that its agent does not have. */
export interface TurnParts extends TurnOptions {
  readonly conversation: Conversation
  readonly window?: ContextWindow
  readonly input: UserInput | undefined
  readonly notice?: string
  readonly delivery?: 'follow-up'
  readonly queueId?: string
  readonly earlier?: readonly Posted[]
  readonly messageId?: string
  /** Set when nobody watches the turn. A resumed run keeps what it was started with. */
  readonly unattended?: Unattended
  readonly asked?: string
  readonly missingModel?: string
  /** Set when an interrupted run is resumed. */
  readonly past?: PastRun
  readonly archive?: Archive
  readonly refusals?: Refusals
  /** The writes that succeeded before this process. */
  readonly done?: DoneWrites
  /** What the thread has read so far. Absent: nothing. */
  readonly flow?: FlowTracker
  readonly line: EventLine
  readonly signal: AbortSignal
  readonly checkpoint: CheckpointStrategy
  readonly inbox?: Inbox
  /** Called when the turn has started and its message is recorded. */
  readonly onStarted?: () => void
  /** Set for a sub-agent. */
  readonly child?: {
    readonly parent: ParentCall
    /** See `RunContext.root`. */
    readonly root: RunContext
    readonly depth: number
    /** Its parent does not wait for it. */
    readonly isSpawned?: true
    /** See `RunContext.branch`; of its parent. */
    readonly branch?: RunId
    readonly name?: string
    readonly setup?: JsonObject
    /** Set when it continues an earlier conversation. */
    readonly conversationId?: string
    readonly budget: Budget
    readonly effectCeiling: Effect
    readonly origin: Origin
    readonly refusals: Refusals
    readonly sideEffects: SideEffects
    readonly done: DoneWrites
    readonly flow: FlowTracker
  }
}

/** Creates the turn that `runTurn` runs. */
export function createTurn(agent: Agent, parts: TurnParts): Turn {
  const { options, clock } = agent
  const { line, signal, child, past, archive } = parts
  const runId = past?.runId ?? newRunId()
  const branch = child?.isSpawned ? runId : child?.branch
  const inbox = parts.inbox ?? new Inbox()
  const origin = past?.origin ?? child?.origin ?? parts.unattended?.origin ?? options.origin ?? 'unlabelled'
  const run: RunContext = {
    threadId: line.threadId,
    runId,
    conversationId: child ? (past?.conversation.id ?? child.conversationId ?? runId) : line.threadId,
    agent: agent.id,
    depth: child?.depth ?? 0,
    origin,
    effectCeiling: child?.effectCeiling ?? options.effectCeiling ?? 'admin',
    signal,
    budget: child?.budget ?? openBudget(options, clock, parts),
    clock,
    refusals: child?.refusals ?? parts.refusals ?? new Refusals(),
    sideEffects: new SideEffects(past?.sideEffects, child?.sideEffects),
    done: child?.done ?? parts.done ?? new DoneWrites(),
    flow: child?.flow ?? parts.flow ?? openFlow(options),
    media: parts.conversation.media,
    line,
    report: (event) => line.report(runId, event),
    ...(child ? { parent: child.parent, root: child.root } : undefined),
    ...(branch === undefined ? undefined : { branch }),
    ...(child?.name === undefined ? undefined : { name: child.name }),
    ...(child?.setup ? { setup: child.setup } : undefined),
    ...(archive ? { archive } : undefined),
  }
  agents.set(run, agent)
  const spawned = agent.delegation && new SpawnedAgents(agent.delegation, run, inbox)
  if (spawned) spawnedBeside.set(run, spawned)
  const asked = parts.output === options.output ? past?.output : (parts.output ?? past?.output)
  const output = asked ? toTurnOutput(asked, agent.model, agent.parser) : agent.output
  const tools = asked && output ? withResultTool(agent.workTools, output) : agent.tools
  if (tools !== agent.tools || !agent.output) forgetResultTool(parts.conversation)
  const preface = options.preface === false ? undefined : (options.preface ?? (() => toDateLine(clock)))()
  return {
    run,
    conversation: parts.conversation,
    window: parts.window ?? new ContextWindow(),
    model: agent.model,
    input: parts.input,
    tools,
    parser: agent.parser,
    observers: agent.observers,
    checkpoint: parts.checkpoint,
    guards: (options.guards ?? createDefaultGuards)(),
    stopHooks: options.stopHooks ?? [],
    inbox,
    watch: new StreamWatch(run, agent.limits.model),
    limits: liftLimits(agent.limits, origin),
    modelOptions: parts.modelOptions
      ? resolveModelOptions(mergeModelOptions(options.modelOptions, parts.modelOptions))
      : agent.modelOptions,
    services: agent.services,
    state: past ? restoreTurnState(past) : newTurnState(),
    ...(agent.observers.some((observer) => 'modelCalled' in observer) ? { isMeasured: true } : undefined),
    ...(spawned ? { spawned } : undefined),
    ...(options.summariseResults ? { summarisesResults: true } : undefined),
    ...(output ? { output } : undefined),
    ...(asked ? { askedOutput: toJsonSchema(asked) } : undefined),
    ...(past ? { past } : undefined),
    ...(preface === undefined ? undefined : { preface }),
    ...(parts.notice === undefined ? undefined : { notice: parts.notice }),
    ...(parts.delivery === undefined ? undefined : { delivery: parts.delivery }),
    ...(parts.queueId === undefined ? undefined : { queueId: parts.queueId }),
    ...(parts.earlier === undefined ? undefined : { earlier: parts.earlier }),
    ...(parts.messageId === undefined ? undefined : { messageId: parts.messageId }),
    ...(parts.missingModel === undefined ? undefined : { missingModel: parts.missingModel }),
    ...(parts.asked === undefined ? undefined : { asked: parts.asked }),
    ...(parts.onStarted === undefined ? undefined : { onStarted: parts.onStarted }),
  }
}

function openBudget(
  options: AgentOptions,
  clock: Clock,
  { past, unattended }: Pick<TurnParts, 'past' | 'unattended'>,
): Budget {
  const limits = past?.budget ?? { ...DEFAULT_BUDGET, ...options.budget, ...unattended?.budget }
  const { allowance } = options
  return new Budget(limits, clock, {
    ...(past && { spent: past.spent }),
    ...(allowance && { allowance }),
  })
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

// The date is part of the message, because the system prompt must not change from day to day.
function toDateLine(clock: Clock): string {
  const date = new Date(clock.now())
  return `[Today is ${DAYS[date.getUTCDay()]}, ${date.toISOString().slice(0, 10)} (UTC).]`
}
