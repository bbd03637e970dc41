import { join } from 'node:path'
import type { Store } from '@capstan/harness/stores'
import type { Chain } from './audit/chain.ts'
import { createAuditStore } from './audit/audit-store.ts'
import { createApprovalRows } from './approvals/approval-rows.ts'
import { createApprovalStore } from './approvals/approval-store.ts'
import { createGrantRows } from './approvals/grant-rows.ts'
import { createCommitRecords } from './ledger/commit-records.ts'
import type { Connection } from './database/connection.ts'
import { createConnectionRows } from './connections/connection-rows.ts'
import type { ConnectionRows } from './connections/connection-rows.ts'
import { createConnectionStore } from './connections/connection-store.ts'
import { createStoreAccess } from './database/store-access.ts'
import type { StoreAccess } from './database/store-access.ts'
import { createJobStore } from './jobs/job-store.ts'
import { createJournal } from './ledger/journal.ts'
import type { Journal } from './ledger/journal.ts'
import { createActionEffectRows } from './connections/action-effect-rows.ts'
import { createKnownActionRows } from './connections/known-action-rows.ts'
import { createLedger } from './ledger/ledger.ts'
import type { LedgerParts } from './ledger/ledger.ts'
import { createMediaRows } from './ledger/media-rows.ts'
import type { PageIndex } from './ledger/page-index.ts'
import { createQueueRows } from './ledger/queue-rows.ts'
import { createRunRows } from './runs/run-rows.ts'
import { createRunStore } from './runs/run-store.ts'
import { createScopeRows } from './connections/scope-rows.ts'
import type { Seal } from '../shared/seal.ts'
import { createSearchRows } from './threads/search-rows.ts'
import type { SecretKey } from '../shared/vault/secret-key.ts'
import { createSecretRows } from './vault/secret-rows.ts'
import type { SecretRows } from './vault/secret-rows.ts'
import { createSignInFlowRows } from './connections/sign-in-flow-rows.ts'
import { createThreadArtifacts } from './threads/thread-artifacts.ts'
import { createThreadRows } from './threads/thread-rows.ts'
import { createThreadStore } from './threads/thread-store.ts'
import type { ThreadStoreParts } from './threads/thread-store.ts'
import { createUserMemory } from './memory/user-memory.ts'
import { createUsageRows } from './runs/usage-rows.ts'

/** The parts that an owner and a reader share. */
export interface StoreParts {
  readonly access: StoreAccess
  readonly journal: Journal
  readonly rows: ThreadStoreParts['rows']
  readonly connections: ConnectionRows
  readonly secrets: SecretRows
  readonly createPorts: (owner?: Owner) => Omit<Store, 'notices' | 'close'>
}

interface Owner {
  readonly index: PageIndex
  readonly sync: () => Promise<void> | undefined
  readonly written: LedgerParts['written']
  /** Call after writing anything but a page, with its approximate size in bytes. */
  readonly changed: (bytes: number) => void
}

/** Keys that are kept outside of the file: with the file alone, secrets cannot be read and approvals cannot be forged. */
export interface StoreKeys {
  readonly seal: Seal
  readonly secretKey: SecretKey
}

export function createStoreParts(
  folder: string,
  connection: Connection,
  { seal, secretKey }: StoreKeys,
  onDamage = (): void => {},
  chain?: Chain,
): StoreParts {
  const access = createStoreAccess(connection, onDamage)
  const journal = createJournal(connection, chain)
  const threads = createThreadRows(connection, journal)
  const rows = {
    threads,
    runs: createRunRows(connection),
    approvals: createApprovalRows(connection, seal),
    grants: createGrantRows(connection, seal),
    media: createMediaRows(connection),
    queue: createQueueRows(connection),
    usage: createUsageRows(connection, journal, threads),
    search: createSearchRows(connection),
  }
  const connections = createConnectionRows(connection)
  const secrets = createSecretRows(connection)
  const artifacts = createThreadArtifacts(join(folder, 'artifacts'))
  return {
    access,
    journal,
    rows,
    connections,
    secrets,
    createPorts: (owner) => ({
      ledger: createLedger(access, {
        journal,
        threads,
        media: rows.media,
        commit: createCommitRecords(connection, journal, rows),
        written: (page, records, threadId) => owner?.written(page, records, threadId),
        sync: () => owner?.sync(),
      }),
      threads: createThreadStore(access, { journal, rows, index: owner?.index, artifacts }),
      runs: createRunStore(access, journal, rows, (bytes) => owner?.changed(bytes)),
      approvals: createApprovalStore(access, { ...rows, journal, changed: (bytes) => owner?.changed(bytes) }),
      memory: createUserMemory(access, connection, (bytes) => owner?.changed(bytes)),
      jobs: createJobStore(access, connection, (bytes) => owner?.changed(bytes)),
      audit: createAuditStore(access, { connection, journal, threads, seal }),
      artifacts,
      connections: createConnectionStore(access, {
        connections,
        secrets,
        secretKey,
        flows: createSignInFlowRows(connection),
        scopes: createScopeRows(connection, seal),
        actionEffects: createActionEffectRows(connection, seal),
        knownActions: createKnownActionRows(connection),
        changed: (bytes) => owner?.changed(bytes),
        sync: () => owner?.sync(),
      }),
    }),
  }
}
