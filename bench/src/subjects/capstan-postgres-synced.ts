import type { Ledger } from '@capstan/harness/stores'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'
import { openBenchStore } from './open-bench-store.ts'

const store = await openBenchStore()
const ledger: Ledger = {
  ...store.ledger,
  async commit(threadId, records) {
    await store.ledger.commit(threadId, records)
    await store.ledger.sync()
  },
}

/** The same, but every commit waits for the disk, as those of the others do at the default of PostgreSQL. */
export const subject: Subject = capstanOn(createFakeModelClient, () => ({ ...store, ledger }))
