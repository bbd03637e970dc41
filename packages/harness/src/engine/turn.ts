import type { Notice, TurnOutcome } from '@capstan/protocol'
import type { Conversation } from '../context/conversation.ts'
import type { UserInput } from '../context/media.ts'
import { notice } from '../context/notices.ts'
import type { ContextWindow } from '../context/window.ts'
import type { Guard } from '../guards/guard.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { ResolvedModelOptions } from '../turn/model-options.ts'
import type { CheckpointStrategy, Offer, ResponseParser, ToolSource, TurnObserver } from '../seams/seams.ts'
import type { ToolLimits, ToolServices } from '../tool-path/tool-path.ts'
import { TOOL_LIMITS } from '../tool-path/tool-path.ts'
import type { KnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import { hideKnown } from '../tool-path/scrub/known-secrets.ts'
import { cutText } from '../text/cut-text.ts'
import type { Inbox, Posted } from '../turn/message/inbox.ts'
import type { JsonObject } from '../turn/json.ts'
import type { PastRun } from '../turn/archive.ts'
import type { MediaLimits } from '../turn/message/media.ts'
import { MEDIA_LIMITS } from '../turn/message/media.ts'
import type { Message, UserMessage } from '../turn/message/message.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { SpawnedRuns } from './spawned-runs.ts'
import type { StopHook } from './stop-hook.ts'
import type { StreamWatch } from './stream-watch.ts'
import type { TurnOutput } from './structured-output.ts'

/** Everything one run of the engine needs. An entry point assembles it; the fifth seam, progress, is `run.report`. */
export interface Turn {
  readonly run: RunContext
  readonly conversation: Conversation
  readonly window: ContextWindow
  readonly model: ModelClient
  /** Absent when the run continues from the end of its history. */
  readonly input: UserInput | undefined
  /** The notice that begins a turn without a user message. */
  readonly notice?: string
  /** Precedes the user's text; only the model sees it. */
  readonly preface?: string
  readonly delivery?: 'follow-up'
  /** The id of the message in the queue it came from. */
  readonly queueId?: string
  /** Messages that waited, oldest first. They come before the input. */
  readonly earlier?: readonly Posted[]
  /** The id the client gave the message. */
  readonly messageId?: string
  /** The model that was chosen for it and cannot be had. */
  readonly missingModel?: string
  /** Shown to watchers and in lists instead of the whole input: a sub-agent's task without its context. */
  readonly asked?: string
  readonly tools: ToolSource
  readonly parser: ResponseParser
  readonly observers: readonly TurnObserver[]
  /** An observer wants to know how model calls went. */
  readonly isMeasured?: true
  readonly checkpoint: CheckpointStrategy
  readonly guards: readonly Guard[]
  readonly stopHooks: readonly StopHook[]
  readonly inbox: Inbox
  readonly watch: StreamWatch
  readonly limits: TurnLimits
  readonly services: ToolServices
  /** The options of the agent, overridden by those of this turn. */
  readonly modelOptions: ResolvedModelOptions
  /** Set when a structured result is requested. */
  readonly output?: TurnOutput
  /** The schema that came with the message. It is stored, so that the turn can resume after a restart. */
  readonly askedOutput?: JsonObject
  readonly state: TurnState
  /** Whether long results are summarised. */
  readonly summarisesResults?: boolean
  /** The sub-agents that work beside it. Absent for an agent that may start none. */
  readonly spawned?: SpawnedRuns
  /** Set when an interrupted run resumes. */
  readonly past?: PastRun
  /** Called once the turn has begun, with its message recorded. */
  readonly onStarted?: () => void
}

/** The limits of one turn. */
export interface TurnLimits {
  readonly maxIterations: number
  /** Calls in one turn, all iterations together. Absent: eight per iteration. */
  readonly maxCalls?: number
  readonly parallelReads: number
  readonly model: ModelLimits
  readonly tools: ToolLimits
  readonly media: MediaLimits
}

/** The limits of one model call. */
export interface ModelLimits {
  /** Attempts at one reply. Nothing is retried once a part of the reply was shown. */
  readonly attempts: number
  /** The longest pause between two parts of a stream. */
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
}

/** The default limits. */
export const TURN_LIMITS: TurnLimits = {
  maxIterations: 10,
  parallelReads: 8,
  model: { attempts: 3, idleTimeoutMs: 120_000, totalTimeoutMs: 600_000 },
  tools: TOOL_LIMITS,
  media: MEDIA_LIMITS,
}

/** What has happened so far in this run. */
export interface TurnState {
  iterations: number
  calls: number
  cuts: number
  /** Results that did not fit the requested schema. */
  misfits: number
  /** The text of a reply that broke off, until a later reply completes it. */
  unfinished: string
  /** An empty reply was asked for again. */
  hasAskedAgain?: boolean
  /** The results of all calls so far. */
  readonly results: ToolResult[]
  /** Why the offered tools may be out of date. Reported once while it lasts. */
  problem?: Offer['problem']
}

/** The state of a turn that has not started. */
export const newTurnState = (): TurnState => ({
  iterations: 0,
  calls: 0,
  cuts: 0,
  misfits: 0,
  unfinished: '',
  results: [],
})

type WithoutTotals<Outcome> = Outcome extends unknown ? Omit<Outcome, 'usage' | 'iterations'> : never

/** The outcome as the loop returns it; `endTurn` adds the totals. */
export type Ending = WithoutTotals<TurnOutcome>

/** One line per finished call, for a checkpoint or a closing answer. */
export function listCalls({ results }: TurnState): readonly string[] {
  return results.map(({ tool, ok, text }) => `${tool} [${ok ? 'ok' : 'failed'}]: ${cutText(text, 800)}`)
}

/** Adds a message to the conversation. A promise means that an observer is still writing: wait for it. */
export function append(turn: Turn, message: Message): void | Promise<void> {
  const { secrets } = turn.services
  const safe = secrets && message.role === 'user' ? hideInMessage(message, secrets) : message
  turn.conversation.history.append(safe)
  return notifyObservers(turn, (observer) => observer.messageAppended?.(turn.run, safe))
}

/** A known secret that the user pasted reaches neither the model nor the store. */
const hideInMessage = (message: UserMessage, secrets: KnownSecrets): UserMessage => ({
  ...message,
  parts: message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: hideKnown(part.text, secrets) } : part,
  ),
})

/** Calls every observer, one after the other. Returns a promise only if an observer does. */
export function notifyObservers(
  turn: Pick<Turn, 'observers'>,
  notify: (observer: TurnObserver) => void | Promise<void>,
  from = 0,
): void | Promise<void> {
  for (let n = from; n < turn.observers.length; n++) {
    const writing = notify(turn.observers[n]!)
    if (writing) return writing.then(() => notifyObservers(turn, notify, n + 1))
  }
}

/** Adds a notice to the conversation and reports it. The model reads it in this iteration. */
export async function addNotice(turn: Turn, { text, fact }: Notice, iteration: number): Promise<void> {
  await append(turn, notice(text, fact))
  await turn.run.report({ type: 'notice-add', iteration, text, ...(fact && { fact }) })
}
