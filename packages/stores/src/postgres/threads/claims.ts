import { StoreError } from '@capstan/harness'
import type { ThreadOwnership } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { Database } from '../database/database.ts'
import type { InOrder } from '../ledger/in-order.ts'
import type { KnownThreads } from '../ledger/known-threads.ts'
import type { ThreadColumns } from './thread-rows.ts'

/** The threads that this store has claimed, each with its epoch. */
export interface Claims extends ThreadOwnership {
  /** Undefined when it was not claimed. */
  epochOf(threadId: ThreadId): number | undefined
  /** Throws a `StoreError` of kind `moved` when another store has claimed the thread. */
  refuseIfMoved(threadId: ThreadId): Promise<void>
}

interface ClaimParts {
  readonly database: Database
  readonly known: KnownThreads
  readonly inOrder: InOrder<ThreadId>
  readonly nodeId: string
}

export function createClaims({ database, known, inOrder, nodeId }: ClaimParts): Claims {
  const epochs = new Map<ThreadId, number>()
  const readOwner = async (threadId: ThreadId) => {
    const [row] = await database.read<Pick<ThreadColumns, 'owner' | 'epoch'>>(
      'SELECT owner, epoch FROM threads WHERE id = $1',
      [threadId],
    )
    return row
  }
  return {
    epochOf: (threadId) => epochs.get(threadId),
    async refuseIfMoved(threadId) {
      const row = await readOwner(threadId)
      const epoch = epochs.get(threadId)
      const isMoved = epoch === undefined ? row?.owner != null : row !== undefined && row.epoch !== epoch
      if (isMoved) throw new StoreError('moved', `The thread ${threadId} is run by another node now.`)
    },
    claim: (threadId) =>
      inOrder.run(threadId, async () => {
        known.forget(threadId)
        database.flush.forgetPages(threadId)
        // Flushed, because an epoch must never be given twice. Repeated after a lost connection, it is only higher.
        const [row] = await database.transaction((query) =>
          query<ThreadColumns>('UPDATE threads SET owner = $2, epoch = epoch + 1 WHERE id = $1 RETURNING *', [
            threadId,
            nodeId,
          ]),
        )
        if (!row) return undefined
        known.keep(row)
        epochs.set(threadId, row.epoch)
        return row.epoch
      }),
    release: (threadId, claimed) =>
      inOrder.run(threadId, async () => {
        const epoch = epochs.get(threadId)
        if (epoch === undefined || (claimed !== undefined && claimed !== epoch)) return false
        const released = await database.writeLazily(
          'UPDATE threads SET owner = NULL WHERE id = $1 AND epoch = $2 RETURNING no',
          [threadId, epoch],
        )
        epochs.delete(threadId)
        return released.length > 0
      }),
    async ownerOf(threadId) {
      const row = await readOwner(threadId)
      return row?.owner == null ? undefined : { nodeId: row.owner, epoch: row.epoch }
    },
  }
}
