import type { CallId, Origin, ParentCall, RunId, ThreadId, TurnEventBody } from '@capstan/protocol'
import type { Archive } from './archive.ts'
import type { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import type { JsonObject } from './json.ts'
import type { EventLine } from './event-line.ts'
import type { MediaStore } from './media-store.ts'
import type { Refusals } from './refusals.ts'
import type { Effect } from './tool.ts'

/** Who runs, for whom and with what means. Passed down explicitly; there is no global state. */
export interface RunContext {
  readonly threadId: ThreadId
  readonly runId: RunId
  /** The thread's id for a turn; for a sub-agent the id of its first run. */
  readonly conversationId: string
  /** What the ledger knows of earlier, where there is one. */
  readonly archive?: Archive
  /** Set for a sub-agent. */
  readonly parent?: ParentCall
  readonly agent: string
  /** For a sub-agent: by which its parent lets it go on. */
  readonly name?: string
  /** For a sub-agent that was fitted out for its task: with what. */
  readonly setup?: JsonObject
  /** 0 for a turn, 1 for its sub-agents, at most MAX_DEPTH. */
  readonly depth: number
  readonly origin: Origin
  /** No call of this run, or of a run below it, may reach further. */
  readonly effectCeiling: Effect
  readonly signal: AbortSignal
  readonly budget: Budget
  readonly clock: Clock
  /** What a person said no to in this turn, here or in any run of it. */
  readonly refusals: Refusals
  /** The bytes of the thread's images and files; a child shares them. */
  readonly media?: MediaStore
  /** The thread's events; a child reports on the same line. */
  readonly line: EventLine
  /** Numbers and reports an event. A promise means the watcher is slow: wait for it before the next delta. */
  readonly report: (event: TurnEventBody) => void | Promise<void>
}

/** Whether a call of an interrupted run had started a sub-agent, which must come to an end, too. */
export function hasOpenChild({ archive, runId }: RunContext, callId: CallId): boolean {
  const child = archive?.childOf(runId, callId)
  return child !== undefined && !child.outcome
}

/** A turn may have sub-agents, those may have some, and those too; the fourth generation is refused. */
export const MAX_DEPTH = 3
