import { join } from 'node:path'
import type { Store } from '@capstan/harness'
import { createAlwaysAllowedRows } from './always-allowed-rows.ts'
import { createApprovalRows } from './approval-rows.ts'
import { createApprovalStore } from './approval-store.ts'
import { createCommitRecords } from './commit-records.ts'
import type { Connection } from './connection.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { createJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { createLedger } from './ledger.ts'
import type { LedgerParts } from './ledger.ts'
import { createMediaRows } from './media-rows.ts'
import type { PageIndex } from './page-index.ts'
import { createQueueRows } from './queue-rows.ts'
import { createRunRows } from './run-rows.ts'
import { createRunStore } from './run-store.ts'
import type { Seal } from './seal.ts'
import { createSearchRows } from './search-rows.ts'
import { createThreadArtifacts } from './thread-artifacts.ts'
import { createThreadRows } from './thread-rows.ts'
import { createThreadStore } from './thread-store.ts'
import type { ThreadStoreParts } from './thread-store.ts'
import { createUsageRows } from './usage-rows.ts'

/** What an owner and a reader have in common: everything but the right to write. */
export interface StoreParts {
  readonly gate: Gatekeeper
  readonly journal: Journal
  readonly rows: ThreadStoreParts['rows']
  readonly createPorts: (
    owner?: Owner,
  ) => Pick<Store, 'ledger' | 'threads' | 'runs' | 'approvals' | 'artifacts'>
}

interface Owner {
  readonly index: PageIndex
  readonly sync: () => Promise<void> | undefined
  readonly written: LedgerParts['written']
}

export function createStoreParts(
  folder: string,
  connection: Connection,
  seal: Seal,
  onDamage = (): void => {},
): StoreParts {
  const gate = createGatekeeper(connection, onDamage)
  const journal = createJournal(connection)
  const threads = createThreadRows(connection, journal)
  const rows = {
    threads,
    runs: createRunRows(connection),
    approvals: createApprovalRows(connection, seal),
    media: createMediaRows(connection),
    queue: createQueueRows(connection),
    usage: createUsageRows(connection, journal, threads),
    search: createSearchRows(connection),
  }
  const artifacts = createThreadArtifacts(join(folder, 'artifacts'))
  return {
    gate,
    journal,
    rows,
    createPorts: (owner) => ({
      ledger: createLedger(gate, {
        journal,
        threads,
        media: rows.media,
        commit: createCommitRecords(connection, journal, rows),
        written: (page, records) => owner?.written(page, records),
        sync: () => owner?.sync(),
      }),
      threads: createThreadStore(gate, { journal, rows, index: owner?.index, artifacts }),
      runs: createRunStore(gate, journal, rows),
      approvals: createApprovalStore(gate, rows.approvals, createAlwaysAllowedRows(connection, seal)),
      artifacts,
    }),
  }
}
