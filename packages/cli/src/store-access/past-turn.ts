import type { Store } from '@capstan/harness'
import type { RunRow, TurnEvent } from '@capstan/protocol'

/** What was told of a turn so far. */
export interface PastTurn {
  readonly events: readonly TurnEvent[]
}

/** Everything that was told of the run and of those below it. */
export async function readPastTurn(store: Store, run: RunRow): Promise<PastTurn> {
  const tree = new Set((await store.runs.tree(run.id)).map(({ id }) => id))
  const events = await store.ledger.readEvents(run.threadId, 0)
  return { events: events.filter(({ runId }) => tree.has(runId)) }
}
