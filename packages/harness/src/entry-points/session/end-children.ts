import type { RunRow } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { RunStore } from '../../ports/store.ts'
import type { TurnObserver } from '../../seams/seams.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { EventLine } from '../../turn/event-line.ts'

/**
 * Ends the runs below an interrupted turn that nothing has resumed, because the tool that started them is gone, and those
 * below a stopped turn that hang. Without it they would count as running for ever. Other turns leave none.
 */
export function endChildrenAtEnd(
  runs: RunStore,
  recorder: Recorder,
  line: EventLine,
  interrupted: RunRow['id'] | undefined,
): TurnObserver {
  return {
    async turnEnded({ runId, depth }, { type }) {
      if (runId !== interrupted && (depth > 0 || type !== 'aborted')) return
      await recorder.flush()
      for (const { id } of (await readTree(runs, runId)).toReversed().filter(isOpen(runId)))
        await line.report(id, {
          type: 'turn-end',
          outcome: { type: 'aborted', text: 'Stopped.', usage: NO_USAGE, iterations: 0 },
        })
    },
  }
}

const isOpen =
  (turn: RunRow['id']) =>
  ({ id, outcome }: RunRow): boolean =>
    id !== turn && outcome === undefined

async function readTree(runs: RunStore, runId: RunRow['id']): Promise<readonly RunRow[]> {
  try {
    return await runs.tree(runId)
  } catch (error) {
    throw new RecordingError(error)
  }
}
