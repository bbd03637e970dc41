import { StoreError } from '../../turn/errors.ts'
import { createMemoryArtifacts } from './memory-artifacts.ts'
import { createMemoryConnectionStore } from './memory-connection-store.ts'
import { createMemoryJobStore } from './memory-job-store.ts'
import { createMemoryUserMemory } from './memory-user-memory.ts'
import { createMemoryApprovalStore } from './store/memory-approval-store.ts'
import { createMemoryAuditStore } from './store/memory-audit-store.ts'
import type { MemoryLedger } from './store/memory-ledger.ts'
import { createMemoryLedger } from './store/memory-ledger.ts'
import { createMemoryRuns } from './store/memory-runs.ts'
import { createMemoryThreads } from './store/memory-threads.ts'
import { createTables } from './store/tables.ts'
import type { Tables } from './store/tables.ts'
import type { Store } from '../store.ts'

/** A store in memory. Its commits are done when they return. */
export interface MemoryStore extends Store {
  readonly ledger: MemoryLedger
}

/**
 * A store that keeps everything in memory while it is open. It holds records by reference: a record must not change
 * after it was committed.
 */
export function createMemoryStore(): MemoryStore {
  let tables: Tables | undefined = createTables()
  const open = (): Tables => {
    if (!tables) throw new StoreError('closed', 'the store is closed')
    return tables
  }
  const artifacts = createMemoryArtifacts()
  return {
    ledger: createMemoryLedger(open),
    threads: createMemoryThreads(open, (threadId) => artifacts.forget(threadId)),
    runs: createMemoryRuns(open),
    approvals: createMemoryApprovalStore(open),
    artifacts,
    connections: createMemoryConnectionStore(),
    audit: createMemoryAuditStore(open),
    memory: createMemoryUserMemory(),
    jobs: createMemoryJobStore(),
    notices: [],
    close() {
      tables = undefined
    },
  }
}
