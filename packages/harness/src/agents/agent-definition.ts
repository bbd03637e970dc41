import type { BudgetLimits } from '../turn/budget.ts'
import type { CompactionProfile } from '../turn/compaction-profile.ts'
import type { Effect } from '../turn/tool.ts'

/** A sub-agent, as data: who it is, what it may use and how far it may go. */
export interface AgentDefinition {
  readonly id: string
  /** When to use it. Becomes the description of its delegation tool. */
  readonly description: string
  /** Its system prompt. Keep dates and other changing facts out of it: every spawn sends the same bytes. */
  readonly instructions: string
  /** A model by name; absent: the parent's. */
  readonly model?: string
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
  /** The most characters of its answer that the parent reads. */
  readonly maxResultChars?: number
  /** How the results of its calls are shortened; absent: as its parent's. */
  readonly compaction?: CompactionProfile
}
