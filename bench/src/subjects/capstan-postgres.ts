import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'
import { openBenchStore } from './open-bench-store.ts'

/** Capstan with its ledger on PostgreSQL. The thread is created within the measured time. */
const store = await openBenchStore()

export const subject: Subject = capstanOn(createFakeModelClient, () => store)
