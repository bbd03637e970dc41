import type { AppName } from '@capstan/protocol'
import type { BudgetLimits } from '../turn/budget.ts'
import type { CompactionProfile } from '../turn/compaction-profile.ts'
import type { ResponseParser, ToolSource } from '../seams/seams.ts'
import type { ModelOptions } from '../turn/model-options.ts'
import type { OutputSchema } from '../turn/output-schema.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Effect, JsonSchema, Tool, ToolContext } from '../turn/tool.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'

/** How a sub-agent is fitted out for one task. Asked again when an interrupted one goes on. */
export interface AgentSetup {
  /** Of the delegation tool; it must ask for `prompt`. A function is asked again whenever the tools change. */
  readonly input: JsonSchema | (() => JsonSchema)
  prepare(args: JsonObject, context: ToolContext): Promise<PreparedAgent>
  /** The app it would work in, for the timeline. */
  readonly app?: (args: JsonObject) => AppName | undefined
}

export type PreparedAgent =
  /** The delegation ends here. */
  | { readonly refusal: ToolOutcome }
  | {
      readonly tools: readonly Tool[] | ToolSource
      /** Goes in front of the task. */
      readonly context?: string
      /** With what it is fitted out when it goes on after a wait, instead of what it was asked with. */
      readonly setup?: JsonObject
      /** Over its definition's: for tools that its provider could not take. */
      readonly dialect?: AgentDefinition['dialect']
    }

/** A sub-agent, as data: who it is, what it may use and how far it may go. */
export interface AgentDefinition {
  readonly id: string
  /** When to use it. Becomes the description of its delegation tool. */
  readonly description: string
  /** Its system prompt. Keep dates and other changing facts out of it: every spawn sends the same bytes. */
  readonly instructions: string
  /** A model by name; absent: the parent's. */
  readonly model?: string
  /** Over those of its parent's agent, whose tool choice it does not take over. */
  readonly modelOptions?: ModelOptions
  /** The form of its result. Absent: words. It never takes over its parent's. */
  readonly output?: OutputSchema
  /** How it writes calls; absent: as its parent does. */
  readonly dialect?: 'auto' | ResponseParser['dialect']
  /** What its delegation takes besides a task, and what it gets for it instead of its parent's tools. */
  readonly setup?: AgentSetup
  /** Which of the parent's tools it gets; absent: all of them, an empty list: none. */
  readonly tools?: readonly string[]
  /** Taken away again; a trailing `*` matches every ending. */
  readonly deny?: readonly string[]
  /** Never above the parent's. */
  readonly effectCeiling?: Effect
  /** Whom it may spawn itself. */
  readonly agents?: readonly AgentDefinition[]
  readonly maxIterations?: number
  readonly budget?: BudgetLimits
  /** Its instructions say what an answer looks like. Absent: a report of what was found, done and left open. */
  readonly ownForm?: true
  /** The most characters of its answer that the parent reads. */
  readonly maxResultChars?: number
  /** How the results of its calls are shortened; absent: as its parent's. */
  readonly compaction?: CompactionProfile
}
