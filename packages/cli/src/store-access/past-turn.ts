import type { Store } from '@capstan/harness/stores'
import type { RunRow, TurnEvent } from '@capstan/protocol'

/** The events of an unfinished turn so far. */
export interface PastTurn {
  readonly events: readonly TurnEvent[]
}

/** Reads the events of a run and of its sub-agents. */
export async function readPastTurn(store: Store, run: RunRow): Promise<PastTurn> {
  const tree = new Set((await store.runs.tree(run.id)).map(({ id }) => id))
  const events = await store.ledger.readEvents(run.threadId, 0)
  return { events: events.filter(({ runId }) => tree.has(runId)) }
}
