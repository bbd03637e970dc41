import type { NoticeMessage } from '../turn/message/message.ts'
import type { PastRun } from '../turn/archive.ts'
import type { Ending, Turn } from './turn.ts'
import { append } from './turn.ts'

/** The sub-agents that a run has started without waiting. An entry point owns them; the engine delivers their reports. */
export interface SpawnedRuns {
  /** Goes on with those that an interruption left without an end. */
  resume(past: PastRun): Promise<void>
  /** The reports that the conversation does not have yet. Each is returned once. */
  takeReports(): readonly NoticeMessage[]
  /**
   * Settles when a report can be taken or a message for the run has arrived, or at a stop: true. False when none is left.
   * When all that are left wait for a person, the run is parked, too.
   */
  next(): Promise<boolean>
  /** Settles when each has ended, or at a stop. Parks the run like `next`. */
  finish(): Promise<void>
  /** Ends those that still work, and waits for their ends. */
  closeAll(): Promise<void>
  /** The run leaves without an end: waits until each has ended or is parked. Never throws. */
  leave(error: unknown): Promise<void>
}

/** Appends the reports of sub-agents that have ended. The model reads them in this iteration. */
export async function deliverReports(turn: Turn, spawned: SpawnedRuns, iteration: number): Promise<void> {
  for (const message of spawned.takeReports()) {
    const { text, fact } = message
    await append(turn, message)
    await turn.run.report({ type: 'notice-add', iteration, text, ...(fact && { fact }) })
  }
}

/** An answer is not the end while sub-agents work: whether the turn goes on, with a report or with a message. */
export async function goesOn({ spawned }: Turn): Promise<boolean> {
  return spawned ? spawned.next() : false
}

/**
 * The end of a turn is the end of its sub-agents. A question or a result waits for them; any other end closes them. Their
 * reports join the conversation, so that the next turn knows them.
 */
export async function endSpawned(turn: Turn, spawned: SpawnedRuns, ending: Ending): Promise<void> {
  if (ending.type === 'done' || ending.type === 'needs-input') await spawned.finish()
  await spawned.closeAll()
  await deliverReports(turn, spawned, Math.max(1, turn.state.iterations))
}
