import type { AppName } from '@capstan/protocol'
import type { BudgetLimits } from '../turn/budget.ts'
import type { CompactionProfile } from '../turn/tool/compaction-profile.ts'
import type { Knowledge, ResponseParser, ToolSource } from '../seams/seams.ts'
import type { ModelOptions } from '../turn/model-options.ts'
import type { OutputSchema } from '../turn/output-schema.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Effect, JsonSchema, Tool, ToolContext } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'

/** How a sub-agent is set up for one task. Called again when an interrupted sub-agent resumes. */
export interface AgentSetup {
  /** The schema of the delegation tool; it must have `prompt`. A function is called whenever the tools change. */
  readonly input: JsonSchema | (() => JsonSchema)
  /** What arguments are checked against, when `input` lists values that may be out of date. */
  readonly accepts?: JsonSchema
  prepare(args: JsonObject, context: ToolContext): Promise<PreparedAgent>
  /** What an agent with these tools must be told to use it, when its own tools do not tell it. */
  readonly knowledge?: (names: ReadonlySet<string>) => Knowledge
  /** The app it works in, for the timeline. */
  readonly app?: (args: JsonObject) => AppName | undefined
}

/** A sub-agent ready for its task, or the outcome of a delegation that ends here. */
export type PreparedAgent =
  /** The delegation ends here. */
  | { readonly refusal: ToolOutcome }
  | {
      readonly tools: readonly Tool[] | ToolSource
      /** Precedes the task. */
      readonly context?: string
      /** Replaces the arguments of the delegation when the sub-agent resumes after a wait. */
      readonly setup?: JsonObject
      /** Overrides the dialect of its definition, for tools that its provider does not accept. */
      readonly dialect?: AgentDefinition['dialect']
    }

/** A sub-agent as data: its prompt, tools and limits. */
export interface AgentDefinition {
  readonly id: string
  /** When to use it; the description of its delegation tool. */
  readonly description: string
  /** Its system prompt. It must not contain dates or other changing facts: every spawn sends the same bytes. */
  readonly instructions: string
  /** A model by name. Absent: the parent's. */
  readonly model?: string
  /** Override the options of its parent's agent, which it inherits without the tool choice. */
  readonly modelOptions?: ModelOptions
  /** The schema of its result. Absent: text. The parent's schema is never inherited. */
  readonly output?: OutputSchema
  /** How it writes calls. Absent: like its parent. */
  readonly dialect?: 'auto' | ResponseParser['dialect']
  /** Arguments of its delegation besides the task, and the tools it gets instead of its parent's. */
  readonly setup?: AgentSetup
  /** Which of the parent's tools it gets. Absent: all; an empty list: none. */
  readonly tools?: readonly string[]
  /** Tools it does not get; a trailing `*` matches every ending. */
  readonly deny?: readonly string[]
  /** The highest effect of its calls, limited by the parent's. */
  readonly effectCeiling?: Effect
  /** The agents it may spawn. */
  readonly agents?: readonly AgentDefinition[]
  readonly maxIterations?: number
  readonly budget?: BudgetLimits
  /** Its instructions define the form of the answer. Absent: a report of what was found, done and left open. */
  readonly ownForm?: true
  /** The most characters of its answer that the parent reads. */
  readonly maxResultChars?: number
  /** How the results of its calls are shortened. Absent: like its parent's. */
  readonly compaction?: CompactionProfile
}
