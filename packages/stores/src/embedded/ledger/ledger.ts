import type { Ledger, LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { CommitRecords } from './commit-records.ts'
import type { StoreAccess } from '../database/store-access.ts'
import { parseBody } from '../../shared/ledger/page-body.ts'
import type { Journal, Page } from './journal.ts'
import type { MediaRows } from './media-rows.ts'
import type { ThreadRows } from '../threads/thread-rows.ts'

export interface LedgerParts {
  readonly journal: Journal
  readonly threads: ThreadRows
  readonly media: MediaRows
  readonly commit: CommitRecords
  /** Called for each page that was written. */
  readonly written: (page: Page, records: readonly LedgerRecord[], threadId: ThreadId) => void
  readonly sync: () => Promise<void> | undefined
}

export function createLedger(access: StoreAccess, parts: LedgerParts): Ledger {
  const { journal, threads, media, commit, written, sync } = parts
  const { read } = access
  return {
    commit(threadId, records) {
      access.refuseIfClosed()
      access.refuseIfReadOnly()
      let page: Page | undefined
      try {
        page = commit(threadId, records)
      } catch (error) {
        throw access.explain(error)
      }
      if (page) written(page, records, threadId)
    },
    sync: () => read(sync),
    read: (threadId) =>
      read(() => {
        const records: LedgerRecord[] = []
        const no = threads.noOf(threadId)
        if (no === undefined) return records
        journal.visit(no, {}, ({ body }) => {
          for (const record of parseBody(body, threadId)) records.push(record)
        })
        return records
      }),
    readEvents: (threadId, after, limit = Infinity) =>
      read(() => {
        const events: TurnEvent[] = []
        const no = threads.noOf(threadId)
        if (no === undefined || limit <= 0) return events
        journal.visit(no, { from: after + 1 }, ({ body }) => {
          for (const record of parseBody(body, threadId)) {
            if (record.type !== 'event' || record.event.seq <= after) continue
            events.push(record.event)
            if (events.length >= limit) return false
          }
          return true
        })
        return events
      }),
    lastSeq: (threadId) =>
      read(() => {
        const no = threads.noOf(threadId)
        return no === undefined ? 0 : (journal.last(no)?.lastSeq ?? 0)
      }),
    readMedia: (threadId, ref) =>
      read(() => {
        const no = threads.noOf(threadId)
        return no === undefined ? undefined : media.get(no, ref)
      }),
  }
}
