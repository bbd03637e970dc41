import { openEmbeddedStore } from '@capstan/stores'
import { createFakeModelClient } from '../fakes/fake-model-client.ts'
import { storeFolder } from '../lanes/store-folder.ts'
import type { Subject } from '../subject.ts'
import { capstanOn } from './capstan.ts'

/** Capstan with its ledger in the embedded store, opened once for all conversations. */
const store = openEmbeddedStore({ folder: storeFolder() })

export const subject: Subject = capstanOn(createFakeModelClient, () => store)
