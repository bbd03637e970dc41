import type { Ledger, LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { parseBody } from '../../shared/ledger/page-body.ts'
import { isReadOnly } from '../database/store-errors.ts'
import { commitRecords, lostTail } from './commit-records.ts'
import type { CommitParts } from './commit-records.ts'
import type { InOrder } from './in-order.ts'
import { readPages } from './journal.ts'

export interface LedgerParts extends CommitParts {
  readonly inOrder: InOrder<ThreadId>
}

export function createLedger(parts: LedgerParts): Ledger {
  const { database, inOrder } = parts
  const { flush } = database
  /** Other nodes write, too: what was read may not be on the disk yet. A database that only reads loses nothing. */
  async function makeSafe(): Promise<void> {
    flush.note()
    await flush.wait()?.catch((error: unknown) => {
      if (!isReadOnly(error)) throw error
    })
  }
  return {
    announceAfterSync: true,
    async commit(threadId, records) {
      database.refuseIfClosed()
      // The caller may change the list while it waits.
      const given = [...records]
      await inOrder.run(threadId, () => commitRecords(parts, threadId, given))
    },
    async sync(threadId) {
      database.refuseIfClosed()
      if (threadId === undefined) return flush.wait()
      if (await flush.keepPages(threadId)) return
      parts.known.forget(threadId)
      throw lostTail(threadId)
    },
    async read(threadId) {
      const records: LedgerRecord[] = []
      for await (const { body } of readPages(database, threadId)) {
        for (const record of parseBody(body, threadId)) records.push(record)
      }
      return records
    },
    async readEvents(threadId, after, limit = Infinity) {
      const events: TurnEvent[] = []
      if (limit <= 0) return events
      for await (const { body } of readPages(database, threadId, { from: after + 1 })) {
        for (const record of parseBody(body, threadId)) {
          if (record.type !== 'event' || record.event.seq <= after) continue
          events.push(record.event)
          if (events.length >= limit) break
        }
        if (events.length >= limit) break
      }
      if (events.length > 0) await makeSafe()
      return events
    },
    async lastSeq(threadId) {
      const [row] = await database.read<{ last_seq: number }>('SELECT last_seq FROM threads WHERE id = $1', [
        threadId,
      ])
      return row?.last_seq ?? 0
    },
    async readMedia(threadId, ref) {
      const [row] = await database.read<{ bytes: Uint8Array }>(
        'SELECT bytes FROM media WHERE thread = (SELECT no FROM threads WHERE id = $1) AND ref = $2',
        [threadId, ref],
      )
      return row && new Uint8Array(row.bytes)
    },
  }
}
