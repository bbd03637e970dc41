import type { Ledger } from '@capstan/harness/stores'

type Timed = 'commit' | 'sync'

/** The same ledger; `observe` learns how long each commit and each sync took. */
export function timeLedger(ledger: Ledger, observe: (operation: Timed, ms: number) => void): Ledger {
  function time<Result>(operation: Timed, work: () => Result): Result {
    const started = performance.now()
    const done = () => observe(operation, performance.now() - started)
    const result = work()
    if (result instanceof Promise) result.then(done, done)
    else done()
    return result
  }
  return {
    commit: (threadId, records) => time('commit', () => ledger.commit(threadId, records)),
    sync: (threadId) => time('sync', () => ledger.sync(threadId)),
    ...(ledger.announceAfterSync && { announceAfterSync: true }),
    read: (threadId) => ledger.read(threadId),
    readEvents: (threadId, after, limit) => ledger.readEvents(threadId, after, limit),
    lastSeq: (threadId) => ledger.lastSeq(threadId),
    readMedia: (threadId, ref) => ledger.readMedia(threadId, ref),
  }
}
