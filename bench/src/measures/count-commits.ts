import type { Ledger, Store } from '@capstan/harness/stores'

/** What goes to a ledger. */
export interface Counts {
  commits: number
  syncs: number
  records: number
}

/** The same store; `counts` goes up with each commit and sync. */
export function countCommits(store: Store, counts: Counts): Store {
  const { ledger } = store
  const counting: Ledger = {
    commit(threadId, records) {
      counts.commits++
      counts.records += records.length
      return ledger.commit(threadId, records)
    },
    sync(threadId) {
      counts.syncs++
      return ledger.sync(threadId)
    },
    ...(ledger.announceAfterSync && { announceAfterSync: true }),
    read: (threadId) => ledger.read(threadId),
    readEvents: (threadId, after, limit) => ledger.readEvents(threadId, after, limit),
    lastSeq: (threadId) => ledger.lastSeq(threadId),
    readMedia: (threadId, ref) => ledger.readMedia(threadId, ref),
  }
  return { ...store, ledger: counting }
}
