import { quietClock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { createVaultDocuments } from '../documents/vault-documents.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createRecordAudit } from '../sessions/record-audit.ts'
import { readOutcome } from '../unattended/read-outcome.ts'
import type { Triggers } from './triggers.ts'
import { openTriggers } from './triggers.ts'

/** The triggers in a store, without a server. What waits is decided when one is started. */
export function openStoredTriggers(
  store: Store,
): Promise<Pick<Triggers, 'activity' | 'sources' | 'correct'>> {
  const now = (): number => Date.now()
  return openTriggers({
    documents: createVaultDocuments(store.connections.vault),
    jobs: createJobs({
      store: store.jobs,
      runner: { register() {}, wake() {}, check() {} },
      publish() {},
      now,
    }),
    runs: store.runs,
    unattended: () => ({
      run: () => Promise.reject(new Error('Nothing runs without a server.')),
      outcomeOf: (...asked) => readOutcome(store, ...asked),
    }),
    record: createRecordAudit(store.audit, now),
    clock: quietClock,
    allowanceOf: () => {
      throw new Error('Nothing is judged without a server.')
    },
    modelsOf: () => undefined,
    checkModel() {},
    note() {},
    tell: async () => {},
    onProblem: (problem) => console.error(problem),
  })
}
