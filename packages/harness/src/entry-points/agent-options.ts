import type { Origin, TurnEvent } from '@capstan/protocol'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { SettingsByAgent } from '../agents/agent-settings.ts'
import { checkSettings } from '../agents/agent-settings.ts'
import type { ModelLimits, TurnLimits } from '../engine/turn.ts'
import { TURN_LIMITS } from '../engine/turn.ts'
import type { StopHook } from '../engine/stop-hook.ts'
import type { Guard } from '../guards/guard.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { ModelOptions } from '../turn/model-options.ts'
import type { Dialect } from '../seams/parsers/choose-parser.ts'
import type {
  CheckpointStrategy,
  ProgressReporter,
  ResponseParser,
  ToolSource,
  TurnObserver,
} from '../seams/seams.ts'
import type { ToolLimits } from '../tool-path/tool-path.ts'
import type { Allowance } from '../turn/allowance.ts'
import type { BudgetLimits } from '../turn/budget.ts'
import type { Clock } from '../turn/clock.ts'
import type { MediaLimits } from '../turn/message/media.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { OutputSchema } from '../turn/output-schema.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import type { SafetyOptions } from './tool-services.ts'

/** Options of every entry point. Only the model is required. */
export interface AgentOptions {
  /** A client, or a name such as `openai/gpt-5`, `ollama/llama4` or `http://localhost:8000/v1#model`. */
  readonly model: ModelClient | string
  /** The start of the system prompt. It never changes during a conversation. */
  readonly instructions?: string
  /**
   * The end of the system prompt of a new thread, such as what is known about the user. Read once when the thread begins and
   * stored with it: it never changes after that. Only for threads with a store.
   */
  readonly notes?: () => MaybePromise<string>
  /** A fixed list, or a source whose tools may change. */
  readonly tools?: readonly Tool[] | ToolSource
  /** Awaited once before a conversation is opened. */
  readonly ready?: () => void | Promise<void>
  /** Sub-agents the agent may delegate to. */
  readonly agents?: readonly AgentDefinition[]
  /** Limits and models of sub-agents by their ids, built-in ones included, over what their definitions say. */
  readonly agentSettings?: SettingsByAgent
  /** Finds a model by its name. Default: `createModel`. */
  readonly findModel?: (name: string) => ModelClient
  /** How the model writes calls. Default `auto`: native for a model that takes tools, else a text dialect. */
  readonly dialect?: Dialect
  readonly limits?: LimitOptions
  /** Limits of a whole turn, sub-agents included. Default: 200 model calls and ten minutes. */
  readonly budget?: BudgetLimits
  /** What the user may spend in all turns together. Await its `ready` before a turn begins. */
  readonly allowance?: Allowance
  /**
   * Summarises results of more than 4,000 estimated tokens for the model; the whole stays readable. Each costs a model
   * call. Default false: a part is shown.
   */
  readonly summariseResults?: boolean
  /** Creates the guards of a run. Default: all stock guards. */
  readonly guards?: () => readonly Guard[]
  readonly stopHooks?: readonly StopHook[]
  readonly observers?: readonly TurnObserver[]
  /** Called with every event, in order. Return a promise to slow the stream down. */
  readonly onEvent?: (event: TurnEvent) => void | Promise<void>
  /** Receives every event, before `onEvent`. */
  readonly progress?: ProgressReporter
  /** Ends a capped turn. Default: a summary and a token to continue; a stateless run fails instead. */
  readonly checkpoint?: CheckpointStrategy
  /** Reads the model's calls. Overrides `dialect`. */
  readonly parser?: ResponseParser
  readonly origin?: Origin
  /** The highest effect a call may have. Default `admin`: no ceiling. */
  readonly effectCeiling?: Effect
  /** Which calls run without approval, and who is asked for it. */
  readonly safety?: SafetyOptions
  /** Text before each user message, for the model only. Default: today's date. `false`: none. */
  readonly preface?: false | (() => string)
  /** Options of each model request: reasoning, tool choice, output limit, headers and more. */
  readonly modelOptions?: ModelOptions
  /**
   * The schema of the result. A turn that ends `done` has the checked result as `outcome.output`, typed for a Standard
   * Schema. The model may use other tools first. The provider's structured output produces the result when the model
   * supports it; otherwise the model calls a result tool. A result that does not fit is sent back once; then the turn ends
   * `failed` with `invalid_input`. The result is stored as JSON and checked again when it is read. When the schema is given
   * for one message only, the result tool changes the tools of that request and breaks the provider's prompt cache, so
   * prefer to give it for the agent.
   */
  readonly output?: OutputSchema
  readonly clock?: Clock
}

/** Options of one turn. They override those of its agent. */
export interface TurnOptions<Schema extends OutputSchema | undefined = OutputSchema | undefined> {
  readonly modelOptions?: ModelOptions
  /** The schema of the result; see `AgentOptions.output`. */
  readonly output?: Schema & {}
}

/** Limits to override. All others keep their defaults. */
export type LimitOptions = Partial<Omit<TurnLimits, 'model' | 'tools' | 'media'>> & {
  readonly model?: Partial<ModelLimits>
  readonly tools?: Partial<ToolLimits>
  readonly media?: Partial<MediaLimits>
}

/** The budget of a turn whose options set none. */
export const DEFAULT_BUDGET: BudgetLimits = { iterations: 200, wallClockMs: 600_000 }

const ORIGINS: Readonly<Record<Origin, true>> = {
  web: true,
  cli: true,
  channel: true,
  trigger: true,
  schedule: true,
  task: true,
  unlabelled: true,
}

/**
 * Checks what TypeScript checks for its users: the model, the tools of a list and the origin. Throws
 * `ConfigurationError`.
 */
export function checkOptions({ model, tools, origin, agentSettings }: AgentOptions): void {
  const isModel =
    typeof model === 'string' || typeof (model as ModelClient | undefined)?.stream === 'function'
  if (!isModel)
    throw new ConfigurationError('model', "must be a name, such as 'openai/gpt-5', or a model client")
  if (origin !== undefined && !Object.hasOwn(ORIGINS, origin))
    throw new ConfigurationError('origin', `must be one of ${Object.keys(ORIGINS).join(', ')}`)
  if (agentSettings) checkSettings(agentSettings)
  if (Array.isArray(tools)) checkTools(tools)
  else if (tools !== undefined && typeof (tools as Partial<ToolSource> | null)?.current !== 'function')
    throw new ConfigurationError('tools', 'must be a list of tools or a tool source')
}

function checkTools(tools: readonly (Partial<Tool> | null | undefined)[]): void {
  for (const [index, tool] of tools.entries()) {
    const name = tool?.name ? `"${tool.name}"` : `at index ${index}`
    // `in` does not read `run`: only the tool path may.
    const missing = tool?.name ? (['input', 'run'] as const).filter((field) => !(field in tool)) : ['name']
    if (missing.length > 0)
      throw new ConfigurationError('tools', `the tool ${name} has no ${missing.join(' and no ')}`)
  }
}

/** Adds the defaults. Throws `ConfigurationError` for a limit that is not a valid number. */
export function toLimits({ model, tools, media, ...own }: LimitOptions = {}): TurnLimits {
  const limits: TurnLimits = {
    ...overlay('limits', TURN_LIMITS, own),
    model: overlay('limits.model', TURN_LIMITS.model, model),
    tools: overlay('limits.tools', TURN_LIMITS.tools, tools),
    media: overlay('limits.media', TURN_LIMITS.media, media),
  }
  // 0 means "the default", as in settings files.
  const maxIterations = limits.maxIterations === 0 ? TURN_LIMITS.maxIterations : limits.maxIterations
  if (!(maxIterations > 0)) throw new ConfigurationError('limits.maxIterations', 'must be a positive number')
  return { ...limits, maxIterations }
}

/** Merges given limits over the defaults. A field with the value undefined keeps its default. */
function overlay<Limits extends object>(path: string, defaults: Limits, given: Partial<Limits> = {}): Limits {
  const limits = { ...defaults }
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined) continue
    if (typeof limit === 'number' && !(limit >= 0)) {
      throw new ConfigurationError(`${path}.${name}`, 'must be a number that is not negative')
    }
    Object.assign(limits, { [name]: limit })
  }
  return limits
}
