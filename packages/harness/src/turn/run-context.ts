import type { CallId, Origin, ParentCall, RunId, ThreadId, TurnEventBody } from '@capstan/protocol'
import type { Archive } from './archive.ts'
import type { Budget } from './budget.ts'
import type { Clock } from './clock.ts'
import type { JsonObject } from './json.ts'
import type { DoneWrites } from './done-writes.ts'
import type { EventLine } from './event-line.ts'
import type { FlowTracker } from './flow-tracker.ts'
import type { MediaStore } from './message/media-store.ts'
import type { Refusals } from './refusals.ts'
import type { SideEffects } from './side-effects.ts'
import type { Effect } from './tool/tool.ts'

/** The identity, limits and services of a run. Passed explicitly; there is no global state. */
export interface RunContext {
  readonly threadId: ThreadId
  readonly runId: RunId
  /** The thread's id for a turn; for a sub-agent the id of its first run. */
  readonly conversationId: string
  /** What the ledger holds from before; absent without a ledger. */
  readonly archive?: Archive
  /** Set for a sub-agent. */
  readonly parent?: ParentCall
  /** For a sub-agent: the turn that it works for, however deep it is. */
  readonly root?: RunContext
  readonly agent: string
  /** For a sub-agent: the name under which its parent continues it. */
  readonly name?: string
  /** For a sub-agent: the setup for its task, if it has one. */
  readonly setup?: JsonObject
  /** The sub-agent started without waiting that this run is, or is below. It parks without the rest of the turn. */
  readonly branch?: RunId
  /** 0 for a turn, 1 for its sub-agents, at most MAX_DEPTH. */
  readonly depth: number
  readonly origin: Origin
  /** The highest effect of any call in this run and the runs below it. */
  readonly effectCeiling: Effect
  readonly signal: AbortSignal
  readonly budget: Budget
  readonly clock: Clock
  /** The calls a person refused in this turn, in any of its runs. */
  readonly refusals: Refusals
  /** What this run and the runs below it have changed. */
  readonly sideEffects: SideEffects
  /** The writes that succeeded in this turn, in any of its runs. */
  readonly done: DoneWrites
  /** What the thread has read; a child shares it. */
  readonly flow: FlowTracker
  /** The bytes of the thread's images and files; a child shares them. */
  readonly media?: MediaStore
  /** The events of the thread; a child shares them. */
  readonly line: EventLine
  /** Numbers and reports an event. A promise means the watcher is slow: wait for it before the next delta. */
  readonly report: (event: TurnEventBody) => void | Promise<void>
}

/** Whether a call of an interrupted run had started a sub-agent. */
export const hasChild = ({ archive, runId }: RunContext, callId: CallId): boolean =>
  archive?.childOf(runId, callId) !== undefined

/** The depth of the deepest sub-agent; a fourth generation is refused. */
export const MAX_DEPTH = 3
