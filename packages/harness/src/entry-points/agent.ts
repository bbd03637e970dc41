import type { Origin, ParentCall, ThreadId } from '@capstan/protocol'
import { Conversation } from '../context/conversation.ts'
import type { UserInput } from '../context/media.ts'
import { ContextWindow } from '../context/window.ts'
import type { Turn, TurnLimits } from '../engine/turn.ts'
import { StreamWatch } from '../engine/stream-watch.ts'
import { newTurnState } from '../engine/turn.ts'
import { restoreTurnState } from '../engine/restore-turn-state.ts'
import { createDefaultGuards } from '../guards/default-guards.ts'
import { createModel } from '../models/create-model.ts'
import type { ModelClient } from '../models/model-client.ts'
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
import type { ToolServices } from '../tool-path/tool-path.ts'
import type { Archive, PastConversation, PastRun } from '../turn/archive.ts'
import { Budget } from '../turn/budget.ts'
import type { Clock } from '../turn/clock.ts'
import { systemClock } from '../turn/clock.ts'
import { EventLine } from '../turn/event-line.ts'
import { Inbox } from '../turn/inbox.ts'
import type { JsonObject } from '../turn/json.ts'
import type { MediaStore } from '../turn/media-store.ts'
import type { Message } from '../turn/message.ts'
import { newRunId } from '../turn/new-id.ts'
import { Refusals } from '../turn/refusals.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Effect } from '../turn/tool.ts'
import type { AgentOptions } from './agent-options.ts'
import { DEFAULT_BUDGET, toLimits } from './agent-options.ts'
import { createDelegateTools } from './delegate-tools.ts'
import { createToolServices } from './tool-services.ts'

/** The options of an entry point, checked and made real once. All three entry points build their turns from it. */
export interface Agent {
  readonly id: string
  readonly options: AgentOptions
  readonly model: ModelClient
  /** Its own tools, which its sub-agents may get a part of. */
  readonly ownTools: ToolSource
  /** Its own tools and the ones that delegate. */
  readonly tools: ToolSource
  readonly parser: ResponseParser
  readonly limits: TurnLimits
  readonly clock: Clock
  readonly observers: readonly TurnObserver[]
  readonly findModel: (name: string) => ModelClient
  readonly services: ToolServices
}

/** A sub-agent shares the services of its parent: one policy, one audit, one place for large results. */
export function createAgent(
  id: string,
  options: AgentOptions,
  services: ToolServices = createToolServices(options.safety),
): Agent {
  const findModel = options.findModel ?? createModel
  const model = typeof options.model === 'string' ? findModel(options.model) : options.model
  const { tools = [], agents = [] } = options
  const ownTools = 'current' in tools ? guardTools(tools) : createFixedTools(tools)
  const agent = {
    id,
    options,
    model,
    ownTools,
    parser: options.parser ?? chooseParser(options.dialect ?? 'auto', model.abilities),
    limits: toLimits(options.limits),
    clock: options.clock ?? systemClock,
    observers: options.observers ?? [],
    findModel,
    services,
  }
  if (agents.length === 0) return { ...agent, tools: ownTools }
  return { ...agent, tools: joinTools(ownTools, createDelegateTools(agents, agent)) }
}

/** Freezes the system prompt: instructions, then how to call the tools there are now. */
export function openConversation(
  agent: Agent,
  messages: readonly Message[] = [],
  media?: MediaStore,
): Conversation {
  const { surface, baseline = '' } = agent.tools.current()
  const prompt = [agent.options.instructions ?? '', baseline, agent.parser.instructions(surface.tools)]
  const conversation = new Conversation(prompt.filter((part) => part !== '').join('\n\n'), messages, media)
  conversation.surface = surface
  return conversation
}

/** The conversation as it was written down: the same prompt, byte for byte. */
export function reopenConversation(agent: Agent, past: PastConversation, media?: MediaStore): Conversation {
  const conversation = new Conversation(past.system, past.messages, media)
  const { tools } = agent
  conversation.surface =
    past.announced && tools.recall ? tools.recall(past.announced) : tools.current().surface
  return conversation
}

export function openLine(agent: Agent, threadId: ThreadId): EventLine {
  return new EventLine(threadId, agent.clock, toProgress(agent.options))
}

export const toProgress = ({ onEvent, progress }: AgentOptions): ProgressReporter => {
  if (!progress) return onEvent ? createCallbackReporter(onEvent) : SILENT
  const own = createCallbackReporter((event) => progress.report(event))
  return onEvent ? joinReporters(own, createCallbackReporter(onEvent)) : own
}

/** What one turn adds to its agent. */
export interface TurnParts {
  readonly conversation: Conversation
  readonly window?: ContextWindow
  readonly input: UserInput | undefined
  readonly notice?: string
  readonly delivery?: 'follow-up'
  readonly queueId?: string
  readonly messageId?: string
  readonly asked?: string
  /** Set when the run was interrupted and goes on. */
  readonly past?: PastRun
  readonly archive?: Archive
  readonly refusals?: Refusals
  readonly line: EventLine
  readonly signal: AbortSignal
  readonly checkpoint: CheckpointStrategy
  readonly inbox?: Inbox
  /** Called once the turn has begun, with its message recorded. */
  readonly onStarted?: () => void
  /** Set for a sub-agent. */
  readonly child?: {
    readonly parent: ParentCall
    readonly depth: number
    readonly name?: string
    readonly setup?: JsonObject
    /** Set when it goes on in a conversation it had before. */
    readonly conversationId?: string
    readonly budget: Budget
    readonly effectCeiling: Effect
    readonly origin: Origin
    readonly refusals: Refusals
  }
}

export function createTurn(agent: Agent, parts: TurnParts): Turn {
  const { options, clock } = agent
  const { line, signal, child, past, archive } = parts
  const runId = past?.runId ?? newRunId()
  const origin = past?.origin ?? child?.origin ?? options.origin ?? 'unlabelled'
  const run: RunContext = {
    threadId: line.threadId,
    runId,
    conversationId: child ? (past?.conversation.id ?? child.conversationId ?? runId) : line.threadId,
    agent: agent.id,
    depth: child?.depth ?? 0,
    origin,
    effectCeiling: child?.effectCeiling ?? options.effectCeiling ?? 'admin',
    signal,
    budget: child?.budget ?? openBudget(options, clock, past),
    clock,
    refusals: child?.refusals ?? parts.refusals ?? new Refusals(),
    line,
    report: (event) => line.report(runId, event),
    ...(child ? { parent: child.parent } : undefined),
    ...(child?.name === undefined ? undefined : { name: child.name }),
    ...(child?.setup ? { setup: child.setup } : undefined),
    ...(archive ? { archive } : undefined),
  }
  const preface = options.preface === false ? undefined : (options.preface ?? (() => toDateLine(clock)))()
  return {
    run,
    conversation: parts.conversation,
    window: parts.window ?? new ContextWindow(),
    model: agent.model,
    input: parts.input,
    tools: agent.tools,
    parser: agent.parser,
    observers: agent.observers,
    checkpoint: parts.checkpoint,
    guards: (options.guards ?? createDefaultGuards)(),
    stopHooks: options.stopHooks ?? [],
    inbox: parts.inbox ?? new Inbox(),
    watch: new StreamWatch(run, agent.limits.model),
    limits: agent.limits,
    services: agent.services,
    state: past ? restoreTurnState(past) : newTurnState(),
    ...(past ? { past } : undefined),
    ...(preface === undefined ? undefined : { preface }),
    ...(parts.notice === undefined ? undefined : { notice: parts.notice }),
    ...(parts.delivery === undefined ? undefined : { delivery: parts.delivery }),
    ...(parts.queueId === undefined ? undefined : { queueId: parts.queueId }),
    ...(parts.messageId === undefined ? undefined : { messageId: parts.messageId }),
    ...(parts.asked === undefined ? undefined : { asked: parts.asked }),
    ...(parts.onStarted === undefined ? undefined : { onStarted: parts.onStarted }),
    ...(options.temperature === undefined ? undefined : { temperature: options.temperature }),
    ...(options.providerOptions === undefined ? undefined : { providerOptions: options.providerOptions }),
  }
}

function openBudget(options: AgentOptions, clock: Clock, past: PastRun | undefined): Budget {
  const limits = past?.budget ?? { ...DEFAULT_BUDGET, ...options.budget }
  return new Budget(limits, clock, past && { spent: past.spent })
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

// The date rides on the message, never in the system prompt, which must not change overnight.
function toDateLine(clock: Clock): string {
  const date = new Date(clock.now())
  return `[Today is ${DAYS[date.getUTCDay()]}, ${date.toISOString().slice(0, 10)} (UTC).]`
}
