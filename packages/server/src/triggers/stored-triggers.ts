import { ConfigurationError } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { createVaultDocuments } from '../documents/vault-documents.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createRecordAudit } from '../sessions/record-audit.ts'
import { readOutcome } from '../unattended/read-outcome.ts'
import { createActivity } from './activity.ts'
import type { Activity } from './activity.ts'
import type { Correct } from './correct-trigger.ts'
import { createCorrection } from './correct-trigger.ts'
import type { SourceMethods } from './source-methods.ts'
import { createSourceMethods } from './source-methods.ts'
import { openSourceStore } from './source-store.ts'
import { toWatchId } from './watch/watch-state.ts'

/** Triggers without a server: nothing comes in, and nothing is decided. */
export interface StoredTriggers {
  readonly sources: SourceMethods
  readonly activity: Activity
  readonly correct: Correct
}

/** The triggers in a store. Changes nothing by itself, so that a store can be read while another process owns it. */
export async function openStoredTriggers(store: Store): Promise<StoredTriggers> {
  const now = (): number => Date.now()
  const runner = { register() {}, wake() {}, check() {} }
  const jobs = createJobs({ store: store.jobs, runner, publish() {}, now })
  const record = createRecordAudit(store.audit, now)
  const sources = await openSourceStore(createVaultDocuments(store.connections.vault), (problem) => {
    throw problem
  })
  const activity = createActivity({
    jobs,
    sources,
    unattended: () => ({ outcomeOf: (...asked) => readOutcome(store, ...asked) }),
    now,
  })
  return {
    activity,
    correct: createCorrection({ jobs, sources, activity, record, now }),
    sources: createSourceMethods({
      sources,
      record,
      now,
      checkModel() {},
      note() {},
      async checkConnection() {
        throw new ConfigurationError('connectionId', 'can be checked by a running server only')
      },
      watches: {
        async start() {},
        async begin() {},
        async end(userId, { id, kind }) {
          if (kind === 'resource') await jobs.remove(userId, toWatchId(id))
        },
      },
    }),
  }
}
