import type { ThreadId } from '@capstan/protocol'
import { StoreError } from '../../../turn/errors.ts'
import { withoutMediaBytes } from '../../ledger.ts'
import type { Ledger, LedgerRecord } from '../../ledger.ts'
import { updateTables } from './update-tables.ts'
import { checkCommit } from './check-commit.ts'
import type { Tables } from './tables.ts'

/** A ledger whose commits are done when they return. */
export interface MemoryLedger extends Ledger {
  commit(threadId: ThreadId, records: readonly LedgerRecord[]): void
}

/** The ledger of a store in memory. */
export function createMemoryLedger(open: () => Tables): MemoryLedger {
  return {
    commit(threadId, records) {
      const tables = open()
      const thread = tables.threads.get(threadId)
      if (!thread) throw new StoreError('invalid', `there is no thread ${threadId}`)
      checkCommit(tables, thread, records)
      let hasMedia = false
      for (const record of records) {
        updateTables(tables, thread, record)
        if (record.type === 'media') hasMedia = true
      }
      thread.pages.push(hasMedia ? records.map(withoutMediaBytes) : records.slice())
    },
    sync() {
      open()
    },
    read: (threadId) => open().threads.get(threadId)?.pages.flat() ?? [],
    readEvents(threadId, after, limit) {
      const from = Math.max(0, after)
      const to = limit === undefined ? undefined : from + Math.max(0, limit)
      return open().threads.get(threadId)?.events.slice(from, to) ?? []
    },
    lastSeq: (threadId) => open().threads.get(threadId)?.events.length ?? 0,
    readMedia: (threadId, ref) => open().threads.get(threadId)?.media.get(ref)?.slice(),
  }
}
