import type { TurnOutcome } from '@capstan/protocol'
import type { Conversation } from '../context/conversation.ts'
import type { MediaLimits, UserInput } from '../context/media.ts'
import { MEDIA_LIMITS } from '../context/media.ts'
import { notice } from '../context/notices.ts'
import type { ContextWindow } from '../context/window.ts'
import type { Guard } from '../guards/guard.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { CheckpointStrategy, ResponseParser, ToolSource, TurnObserver } from '../seams/seams.ts'
import type { ToolLimits } from '../tool-path/tool-path.ts'
import { TOOL_LIMITS } from '../tool-path/tool-path.ts'
import type { Inbox } from '../turn/inbox.ts'
import type { Message, ProviderExtras } from '../turn/message.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { StopHook } from './stop-hook.ts'
import type { StreamWatch } from './stream-watch.ts'

/** Everything one run of the engine needs. A door assembles it; the fifth seam, progress, is `run.report`. */
export interface Turn {
  readonly run: RunContext
  readonly conversation: Conversation
  readonly window: ContextWindow
  readonly model: ModelClient
  /** Absent when the run goes on from where its history ends. */
  readonly input: UserInput | undefined
  /** What the harness says instead, when no words of the user begin the turn. */
  readonly notice?: string
  /** In front of the user's words, for the model alone. */
  readonly preface?: string
  readonly delivery?: 'follow-up'
  readonly tools: ToolSource
  readonly parser: ResponseParser
  readonly observers: readonly TurnObserver[]
  readonly checkpoint: CheckpointStrategy
  readonly guards: readonly Guard[]
  readonly stopHooks: readonly StopHook[]
  readonly inbox: Inbox
  readonly watch: StreamWatch
  readonly limits: TurnLimits
  readonly temperature?: number
  readonly providerOptions?: ProviderExtras
  readonly tally: Tally
}

export interface TurnLimits {
  readonly maxIterations: number
  readonly maxOutputTokens: number
  /** Calls in one turn, all iterations together. Absent: eight per iteration. */
  readonly maxCalls?: number
  readonly parallelReads: number
  readonly model: ModelLimits
  readonly tools: ToolLimits
  readonly media: MediaLimits
}

export interface ModelLimits {
  /** Tries at one reply, while nothing of it was shown. */
  readonly attempts: number
  /** The longest silence of a stream. */
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
}

export const TURN_LIMITS: TurnLimits = {
  maxIterations: 10,
  maxOutputTokens: 16_384,
  parallelReads: 8,
  model: { attempts: 3, idleTimeoutMs: 120_000, totalTimeoutMs: 600_000 },
  tools: TOOL_LIMITS,
  media: MEDIA_LIMITS,
}

/** What has happened so far in this run. */
export interface Tally {
  iterations: number
  calls: number
  cuts: number
  /** The words of a reply that broke off, until another one completes them. */
  unfinished: string
  /** One line per finished call, for the checkpoint. */
  readonly digest: string[]
}

export const newTally = (): Tally => ({ iterations: 0, calls: 0, cuts: 0, unfinished: '', digest: [] })

type WithoutTotals<Outcome> = Outcome extends unknown ? Omit<Outcome, 'usage' | 'iterations'> : never

/** How the loop wants to end; the totals are added on the way out. */
export type Ending = WithoutTotals<TurnOutcome>

/** Adds a message to the conversation and waits until every observer has it. */
export async function append(turn: Turn, message: Message): Promise<void> {
  turn.conversation.history.append(message)
  for (const observer of turn.observers) {
    const written = observer.messageAppended?.(turn.run, message)
    if (written) await written
  }
}

/** Adds a line of the harness to the conversation, where the model reads it in this iteration. */
export async function addNotice(turn: Turn, text: string, iteration: number): Promise<void> {
  await append(turn, notice(text))
  await turn.run.report({ type: 'notice-add', iteration, text })
}
