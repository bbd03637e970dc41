import type { Origin, TurnEvent } from '@capstan/protocol'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { MediaLimits } from '../context/media.ts'
import type { ModelLimits, TurnLimits } from '../engine/turn.ts'
import { TURN_LIMITS } from '../engine/turn.ts'
import type { StopHook } from '../engine/stop-hook.ts'
import type { Guard } from '../guards/guard.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { Dialect } from '../seams/parsers/choose-parser.ts'
import type {
  CheckpointStrategy,
  ProgressReporter,
  ResponseParser,
  ToolSource,
  TurnObserver,
} from '../seams/seams.ts'
import type { ToolLimits } from '../tool-path/tool-path.ts'
import type { BudgetLimits } from '../turn/budget.ts'
import type { Clock } from '../turn/clock.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { ProviderExtras } from '../turn/message.ts'
import type { Effect, Tool } from '../turn/tool.ts'
import type { SafetyOptions } from './tool-services.ts'

/** What every entry point takes. Only the model is required. */
export interface AgentOptions {
  /** A client, or a name such as `openai/gpt-5`, `ollama/llama4` or `http://localhost:8000/v1#model`. */
  readonly model: ModelClient | string
  /** The system prompt. Built once; it never changes while a conversation lasts. */
  readonly instructions?: string
  /** A fixed list, or a source whose tools come and go. */
  readonly tools?: readonly Tool[] | ToolSource
  /** Whatever must be known before a conversation begins; awaited once, when there is something to wait for. */
  readonly ready?: () => void | Promise<void>
  /** Sub-agents it may delegate to. */
  readonly agents?: readonly AgentDefinition[]
  /** Finds the model a sub-agent names. Default: `createModel`. */
  readonly findModel?: (name: string) => ModelClient
  /** How calls are written. Default `auto`: native when the model can, else a text dialect. */
  readonly dialect?: Dialect
  readonly limits?: LimitOptions
  /** For the whole turn, sub-agents included. Default: 200 model calls and ten minutes. */
  readonly budget?: BudgetLimits
  /** Fresh guards for each run. Default: all of them. */
  readonly guards?: () => readonly Guard[]
  readonly stopHooks?: readonly StopHook[]
  readonly observers?: readonly TurnObserver[]
  /** Gets every event in order. Return a promise to slow the stream down. */
  readonly onEvent?: (event: TurnEvent) => void | Promise<void>
  /** The same as an object; gets each event before `onEvent` does. */
  readonly progress?: ProgressReporter
  /** What is said when the iterations are used up. Default: a summary and a way to go on; a channel fails instead. */
  readonly checkpoint?: CheckpointStrategy
  /** How the model writes calls, over `dialect`. */
  readonly parser?: ResponseParser
  readonly origin?: Origin
  /** No call may reach further. Default `admin`: no ceiling. */
  readonly effectCeiling?: Effect
  /** What may happen without a person, and who is asked. */
  readonly safety?: SafetyOptions
  /** In front of each user message, for the model alone. Default: today's date. `false`: nothing. */
  readonly preface?: false | (() => string)
  readonly temperature?: number
  /** Passed through to the provider. */
  readonly providerOptions?: ProviderExtras
  readonly clock?: Clock
}

/** Any limit may be given alone; the rest keep their defaults. */
export type LimitOptions = Partial<Omit<TurnLimits, 'model' | 'tools' | 'media'>> & {
  readonly model?: Partial<ModelLimits>
  readonly tools?: Partial<ToolLimits>
  readonly media?: Partial<MediaLimits>
}

export const DEFAULT_BUDGET: BudgetLimits = { iterations: 200, wallClockMs: 600_000 }

export function toLimits({ model, tools, media, ...own }: LimitOptions = {}): TurnLimits {
  const limits: TurnLimits = {
    ...overlay('limits', TURN_LIMITS, own),
    model: overlay('limits.model', TURN_LIMITS.model, model),
    tools: overlay('limits.tools', TURN_LIMITS.tools, tools),
    media: overlay('limits.media', TURN_LIMITS.media, media),
  }
  // 0 has always meant "the default" here, as it does in every settings file.
  const maxIterations = limits.maxIterations === 0 ? TURN_LIMITS.maxIterations : limits.maxIterations
  if (!(maxIterations > 0)) throw new ConfigurationError('limits.maxIterations', 'must be a positive number')
  if (!(limits.maxOutputTokens > 0))
    throw new ConfigurationError('limits.maxOutputTokens', 'must be a positive number')
  return { ...limits, maxIterations }
}

/** What was given, over the defaults. A field that is there but undefined was not given. */
function overlay<Limits extends object>(path: string, defaults: Limits, given: Partial<Limits> = {}): Limits {
  const limits = { ...defaults }
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined) continue
    if (typeof limit === 'number' && !(limit >= 0)) {
      throw new ConfigurationError(`${path}.${name}`, 'must be a number, and not a negative one')
    }
    Object.assign(limits, { [name]: limit })
  }
  return limits
}
